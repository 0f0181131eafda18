import type { JSONRPCMessage, RequestId, Transport } from "@modelcontextprotocol/server";

/** Code of "no such resource" in the older era. */
export const RESOURCE_NOT_FOUND = -32002;

/**
 * Puts back the code that clients of the older era know for a resource that is not there: the protocol library sends
 * the newer era's code to everyone.
 */
export class NotFoundCodes {
  readonly #ids = new Set<RequestId>();

  /** The answer to this request says that a resource is not there. */
  mark(id: RequestId): void {
    this.#ids.add(id);
  }

  /** Looks at everything that the transport sends. */
  watch(transport: Transport): void {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => send(this.#recode(message), options);
  }

  #recode(message: JSONRPCMessage): JSONRPCMessage {
    if (this.#ids.size === 0 || !("error" in message) || message.id === undefined) return message;
    if (!this.#ids.delete(message.id)) return message;
    return { ...message, error: { ...message.error, code: RESOURCE_NOT_FOUND } };
  }
}
