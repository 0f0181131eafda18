import { SkillzError } from "../../base/errors.ts";
import { writeAll } from "./byte_stream.ts";
import { type Connection, tunnel } from "./connection.ts";
import { canonicalIp } from "./ip_address.ts";
import { parseHost, type Target } from "./target.ts";

/** First byte of a client that speaks it. */
export const SOCKS5_VERSION = 5;

const NO_AUTHENTICATION = 0;
const NONE_ACCEPTABLE = 0xff;
const CONNECT = 1;
const [IPV4, NAME, IPV6] = [1, 3, 4] as const;
const [DONE, FAILURE, DENIED, UNREACHABLE, BAD_COMMAND, BAD_ADDRESS] = [0, 1, 2, 4, 7, 8] as const;

/** Serves SOCKS 5 (RFC 1928): CONNECT by name or address, no authentication, no UDP. */
export async function serveSocks5(connection: Connection): Promise<void> {
  const { client, reader } = connection;
  const [, methods = 0] = await reader.exactly(2);
  if (!(await reader.exactly(methods)).includes(NO_AUTHENTICATION)) {
    return await writeAll(client, Uint8Array.of(SOCKS5_VERSION, NONE_ACCEPTABLE));
  }
  await writeAll(client, Uint8Array.of(SOCKS5_VERSION, NO_AUTHENTICATION));
  const [version, command, , kind] = await reader.exactly(4);
  if (version !== SOCKS5_VERSION) return;
  const target = await readTarget(kind, connection);
  if (command !== CONNECT) return await reply(BAD_COMMAND, connection);
  if (target === undefined) return await reply(BAD_ADDRESS, connection);
  let upstream: Deno.TcpConn;
  try {
    upstream = await connection.dial(target);
  } catch (error) {
    return await reply(replyFor(error), connection);
  }
  await reply(DONE, connection);
  await tunnel(upstream, connection);
}

async function readTarget(kind: number | undefined, { reader }: Connection): Promise<Target | undefined> {
  const address = await readAddress(kind, reader);
  if (address === undefined) return undefined;
  const [high = 0, low = 0] = await reader.exactly(2);
  const port = high * 256 + low;
  return port === 0 ? undefined : { ...address, port };
}

async function readAddress(
  kind: number | undefined,
  reader: Connection["reader"],
): Promise<Pick<Target, "host" | "isIp"> | undefined> {
  switch (kind) {
    case IPV4:
      return parseHost((await reader.exactly(4)).join("."));
    case IPV6: {
      const hex = (await reader.exactly(16)).toHex();
      const host = canonicalIp(hex.replace(/(.{4})(?!$)/g, "$1:"));
      return host === undefined ? undefined : { host, isIp: true };
    }
    case NAME: {
      const [length = 0] = await reader.exactly(1);
      const name = new TextDecoder().decode(await reader.exactly(length));
      // Some clients write addresses as names, IPv6 without brackets.
      return parseHost(canonicalIp(name)?.includes(":") ? `[${name}]` : name);
    }
    default:
      return undefined;
  }
}

function replyFor(error: unknown): number {
  if (!(error instanceof SkillzError)) return FAILURE;
  return error.code === "denied" ? DENIED : UNREACHABLE;
}

/** An answer; the address that it would name is nobody's business inside. */
async function reply(code: number, { client }: Connection): Promise<void> {
  await writeAll(client, Uint8Array.of(SOCKS5_VERSION, code, 0, IPV4, 0, 0, 0, 0, 0, 0));
}
