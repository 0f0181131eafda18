import type { McpServerFactory, Transport } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

/** What {@linkcode connectLibrary} joins. */
export interface LibraryConnection {
  /** Makes what serves the connection. */
  readonly factory: McpServerFactory;
  /** Where messages come from and go to. */
  readonly transport: Transport;
  /** Hears of what went wrong beside the answers. */
  readonly onerror: (error: Error) => void;
}

/** Hands a transport to the protocol library. A file of its own, to be loaded late: the library takes a while. */
export function connectLibrary(connection: LibraryConnection): { close(): Promise<void> } {
  const { factory, transport, onerror } = connection;
  return serveStdio(factory, { transport, onerror });
}
