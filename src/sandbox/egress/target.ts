import { canonicalIp } from "./ip_address.ts";

/** Where somebody wants to connect to, or may. */
export interface Target {
  /** Lower-case ASCII name without a dot at its end, or an IP address in canonical form. */
  readonly host: string;
  /** Whether `host` is an IP address. */
  readonly isIp: boolean;
  /** Where the server listens, 1 to 65535. */
  readonly port: number;
}

const LABEL = "[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?";
const NAME = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`);
/** Characters that have a meaning in addresses of the Web; `%` begins escapes and zone ids. */
const FOREIGN = /[\p{Cc}\s%/\\@?#,:[\]]/u;

/**
 * A host as it is compared: names in lower case and ASCII (`münchen.de` is `xn--mnchen-3ya.de`) without the dot at the
 * end, IPv4 in all its spellings (`0x7f.1`, `2130706433`) as four numbers, IPv6 in brackets. `undefined` for anything else.
 */
export function parseHost(text: string): Pick<Target, "host" | "isIp"> | undefined {
  const bracketed = /^\[(.*)\]$/s.exec(text)?.[1];
  if (bracketed !== undefined) {
    const host = bracketed.includes(":") ? canonicalIp(bracketed) : undefined;
    return host === undefined ? undefined : { host, isIp: true };
  }
  const name = text.replace(/\.$/, "");
  if (name === "" || FOREIGN.test(name) || !URL.canParse(`http://${name}/`)) return undefined;
  const host = new URL(`http://${name}/`).hostname;
  const ip = canonicalIp(host);
  if (ip !== undefined) return { host: ip, isIp: true };
  return host.length <= 253 && NAME.test(host) ? { host, isIp: false } : undefined;
}

/** `host:port` (or `host` where a default is given) as a target; `undefined` when it is malformed. */
export function parseTarget(text: string, defaultPort?: number): Target | undefined {
  const [, hostText, portText] = /^(\[[^\]]*\]|[^:]*)(?::([1-9]\d{0,4}))?$/s.exec(text) ?? [];
  const port = portText === undefined ? defaultPort : Number(portText);
  if (hostText === undefined || port === undefined || port > 65_535) return undefined;
  const host = parseHost(hostText);
  return host && { ...host, port };
}

/** A target as a manifest names it: without the port where it is the Web's, IPv6 in brackets. */
export function targetText({ host, port }: Target): string {
  const shown = host.includes(":") ? `[${host}]` : host;
  return port === 443 || port === 80 ? shown : `${shown}:${port}`;
}
