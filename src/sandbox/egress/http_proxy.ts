import { errorText, SkillzError } from "../../base/errors.ts";
import { writeAll } from "./byte_stream.ts";
import { type Connection, tunnel } from "./connection.ts";
import { forwardRequest } from "./forward_request.ts";
import { malformed, parseRequestHead, type RequestHead } from "./http_head.ts";
import { parseTarget, type Target } from "./target.ts";

/**
 * Serves one request of a client that speaks HTTP/1 to its proxy: CONNECT, or a whole `http:` address. A connection serves
 * one request only, so that no second one can slip through unchecked.
 */
export async function serveHttp(connection: Connection): Promise<void> {
  let rest: (() => Promise<void>) | undefined;
  try {
    rest = await answer(connection);
  } catch (error) {
    connection.signal.throwIfAborted();
    if (!(error instanceof SkillzError)) throw error;
    await refuse(error, connection);
  }
  // From here on an error can only end the connection: the client has its answer's head already.
  await rest?.();
}

/** Checks the request and reaches its server; what is left to do is moving bytes. */
async function answer(connection: Connection): Promise<(() => Promise<void>) | undefined> {
  const text = await connection.reader.until("\r\n\r\n", connection.limits.headBytes);
  if (text === undefined) return undefined;
  const head = parseRequestHead(text);
  if (head.method !== "CONNECT") return await forwardRequest({ head, target: webTarget(head) }, connection);
  const target = parseTarget(head.target);
  if (target === undefined) throw malformed("CONNECT wants host:port");
  const upstream = await connection.dial(target);
  return async () => {
    await writeAll(connection.client, "HTTP/1.1 200 Connection established\r\n\r\n");
    await tunnel(upstream, connection);
  };
}

/** Where a request with a whole address goes, and what it asks for there. */
export interface WebTarget extends Target {
  /** Host and port as the Host header names them. */
  readonly authority: string;
  /** Path and query, as they came. */
  readonly path: string;
}

function webTarget({ target, method }: RequestHead): WebTarget {
  const [, authority, rest = ""] = /^http:\/\/([^/?#]*)([^#]*)$/i.exec(target) ?? [];
  if (authority === undefined) throw malformed("a proxy wants the whole address, http://host/path");
  // User names before an @ have been used to show one host to people and go to another.
  const found = parseTarget(authority.replace(/:$/, ""), 80);
  if (found === undefined) throw malformed("its address holds no host of a known form");
  const path = rest === "" && method === "OPTIONS" ? "*" : rest.startsWith("/") ? rest : `/${rest}`;
  const shown = found.host.includes(":") ? `[${found.host}]` : found.host;
  return { ...found, path, authority: found.port === 80 ? shown : `${shown}:${found.port}` };
}

const STATUS: Readonly<Record<string, string>> = {
  denied: "403 Forbidden",
  invalid_input: "400 Bad Request",
  limit: "431 Request Header Fields Too Large",
  not_found: "502 Bad Gateway",
  unavailable: "502 Bad Gateway",
};

async function refuse(error: SkillzError, { client }: Connection): Promise<void> {
  const text = `${errorText(error)}\n`;
  const body = new TextEncoder().encode(text);
  await writeAll(
    client,
    `HTTP/1.1 ${STATUS[error.code] ?? "502 Bad Gateway"}\r\nContent-Type: text/plain; charset=utf-8\r\n` +
      `Content-Length: ${body.length}\r\nConnection: close\r\n\r\n`,
  );
  await writeAll(client, body);
}
