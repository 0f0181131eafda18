import { SkillzError } from "../../base/errors.ts";
import { ByteReader, writeAll } from "./byte_stream.ts";
import { type Connection, pour, pourBytes } from "./connection.ts";
import {
  type BodyLength,
  bodyLength,
  endToEnd,
  type Header,
  malformed,
  type RequestHead,
} from "./http_head.ts";
import type { WebTarget } from "./http_proxy.ts";

/**
 * Sends one request on to its server, over a connection of their own that both sides are told to close. Only what belongs
 * to the request goes on; Host is always that of the address that was checked. Resolves once the response begins, with
 * what returns it.
 */
export async function forwardRequest(
  { head, target }: { head: RequestHead; target: WebTarget },
  connection: Connection,
): Promise<() => Promise<void>> {
  const length = bodyLength(head);
  const upstream = await connection.dial(target);
  const headers = endToEnd(head.headers).filter(([name]) => name.toLowerCase() !== "host");
  const line = `${head.method} ${target.path} HTTP/${head.version}`;
  const own: Header = ["Host", target.authority];
  await writeAll(upstream, headText(line, [own, ...headers, ["Connection", "close"]]));
  const broken = Promise.withResolvers<never>();
  broken.promise.catch(() => {});
  sendBody(upstream, length, connection).catch((error) => {
    // A server may answer before it has read all, and close: then the body has nowhere to go, which is no failure.
    if (error instanceof SkillzError) broken.reject(error);
  });
  const reader = new ByteReader(upstream);
  const first = await Promise.race([responseHead(reader, connection), broken.promise]);
  return async () => {
    await writeAll(connection.client, first);
    await Promise.race([pour({ from: reader, to: connection.client }, connection), broken.promise]);
  };
}

async function sendBody(upstream: Deno.TcpConn, length: BodyLength, connection: Connection): Promise<void> {
  const { reader } = connection;
  if (length.kind === "bytes") {
    return await pourBytes({ from: reader, to: upstream }, { count: length.count, connection });
  }
  while (true) {
    const line = await reader.until("\r\n", MAX_LINE) ?? "";
    const [, size] = /^([0-9a-fA-F]{1,8})[ \t]*(?:;[\t\x20-\x7e\x80-\xff]*)?\r\n$/.exec(line) ?? [];
    if (size === undefined) throw malformed("a chunk of its body has no size");
    const count = parseInt(size, 16);
    await writeAll(upstream, `${count.toString(16)}\r\n`);
    if (count === 0) break;
    await pourBytes({ from: reader, to: upstream }, { count, connection });
    const [cr, lf] = await reader.exactly(2);
    if (cr !== 13 || lf !== 10) throw malformed("a chunk of its body is longer than its size");
    await writeAll(upstream, "\r\n");
  }
  // Fields after the body are left out: few servers know them, and some take them for headers.
  for (let lines = 0; await reader.until("\r\n", MAX_LINE) !== "\r\n"; lines++) {
    if (lines > 100) throw malformed("too many fields follow its body");
  }
  await writeAll(upstream, "\r\n");
}

/** Most bytes of a line between chunks. */
const MAX_LINE = 4096;

/** The head of the final response; those before it (`100 Continue`) are returned on the way. */
async function responseHead(reader: ByteReader, connection: Connection): Promise<string> {
  const { client, limits, watchdog } = connection;
  watchdog.extend(limits.idleMs);
  while (true) {
    const text = await reader.until("\r\n\r\n", limits.headBytes).catch((cause) => {
      connection.signal.throwIfAborted();
      throw noResponse(cause);
    });
    const { status, line, headers } = parseResponseHead(text ?? "");
    if (status >= 200) return headText(line, [...endToEnd(headers), ["Connection", "close"]]);
    await writeAll(client, headText(line, endToEnd(headers)));
  }
}

function parseResponseHead(text: string): { status: number; line: string; headers: Header[] } {
  const [line = "", ...lines] = text.slice(0, -4).split("\r\n");
  const [, status] = /^HTTP\/1\.[01] (\d{3})(?: |$)/.exec(line) ?? [];
  // Nobody asked for another protocol: Upgrade was not sent on.
  if (status === undefined || status === "101") throw noResponse();
  const headers = lines.flatMap((each): Header[] => {
    const at = each.indexOf(":");
    return at <= 0 ? [] : [[each.slice(0, at).trim(), each.slice(at + 1).trim()]];
  });
  return { status: Number(status), line, headers };
}

function headText(line: string, headers: readonly Header[]): string {
  return [line, ...headers.map(([name, value]) => `${name}: ${value}`), "", ""].join("\r\n");
}

function noResponse(cause?: unknown): SkillzError {
  return new SkillzError("unavailable", "Cannot forward the response: the server sent none that is HTTP/1", {
    cause,
  });
}
