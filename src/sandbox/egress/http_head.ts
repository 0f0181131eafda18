import { SkillzError } from "../../base/errors.ts";

/** One header as it came. */
export type Header = readonly [name: string, value: string];

/** First line and headers of a request. */
export interface RequestHead {
  /** As it came, in its own case. */
  readonly method: string;
  /** As it came: `host:port` for CONNECT, else an address. */
  readonly target: string;
  /** Nothing newer is spoken to a proxy in clear. */
  readonly version: "1.0" | "1.1";
  readonly headers: readonly Header[];
}

/** How long the body of a request is. */
export type BodyLength = { readonly kind: "bytes"; readonly count: number } | { readonly kind: "chunked" };

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const REQUEST_LINE = new RegExp(`^(${TOKEN}) ([\\x21-\\x7e]+) HTTP/(1\\.[01])$`);
// No blank before the colon, no folded lines, no control characters: each has been used to make two servers disagree.
const HEADER_LINE = new RegExp(`^(${TOKEN}):[ \\t]*([\\t\\x20-\\x7e\\x80-\\xff]*?)[ \\t]*$`);

/** Reads the head of a request, up to its empty line. Throws `invalid_input` for whatever is not exactly HTTP/1. */
export function parseRequestHead(text: string): RequestHead {
  const [first = "", ...lines] = text.slice(0, -4).split("\r\n");
  const [, method = "", target = "", version] = REQUEST_LINE.exec(first) ?? [];
  if (version === undefined) throw malformed("its first line is not that of an HTTP/1 request");
  const headers = lines.map((line): Header => {
    const [, name, value = ""] = HEADER_LINE.exec(line) ?? [];
    if (name === undefined) throw malformed("a header is not name, colon and value on one line");
    return [name, value];
  });
  return { method, target, version: version === "1.0" ? "1.0" : "1.1", headers };
}

/** All values of a header. */
export function headerValues(headers: readonly Header[], name: string): string[] {
  return headers.filter(([given]) => given.toLowerCase() === name).map(([, value]) => value);
}

/** The one length of a request's body. Throws `invalid_input` where two readers could see two. */
export function bodyLength({ headers, version }: RequestHead): BodyLength {
  const codings = headerValues(headers, "transfer-encoding");
  const lengths = headerValues(headers, "content-length");
  if (codings.length === 0 && lengths.length === 0) return { kind: "bytes", count: 0 };
  if (codings.length + lengths.length > 1) throw malformed("it gives the length of its body more than once");
  const [length] = lengths;
  if (length !== undefined) {
    if (!/^\d{1,15}$/.test(length)) throw malformed("Content-Length is no number of bytes");
    return { kind: "bytes", count: Number(length) };
  }
  if (version === "1.0" || codings[0]?.toLowerCase() !== "chunked") {
    throw malformed("Transfer-Encoding is not chunked alone");
  }
  return { kind: "chunked" };
}

/** Headers that are for the next hop only, besides those that Connection names. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "upgrade",
]);

/** The headers that go on to the other side. */
export function endToEnd(headers: readonly Header[]): Header[] {
  const named = headerValues(headers, "connection").join(",").split(",").map((name) =>
    name.trim().toLowerCase()
  );
  // How long the body is can't be for the next hop only, whatever Connection says.
  const kept = ["transfer-encoding", "content-length", "host"];
  const dropped = new Set([...HOP_BY_HOP, ...named.filter((name) => !kept.includes(name))]);
  return headers.filter(([name]) => !dropped.has(name.toLowerCase()));
}

/** An error about a message that nobody should send. */
export function malformed(why: string): SkillzError {
  return new SkillzError("invalid_input", `Cannot forward the request: ${why}`);
}
