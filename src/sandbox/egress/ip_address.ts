import { isIP } from "node:net";

/**
 * The one text that an IP address is compared by, `undefined` for what is none. IPv4 in the clothes of IPv6
 * (`::ffff:1.2.3.4`) comes out as IPv4; brackets and zone ids are refused.
 */
export function canonicalIp(text: string): string | undefined {
  const version = isIP(text);
  if (version === 4) return text;
  if (version !== 6 || text.includes("%")) return undefined;
  const groups = ipv6Groups(text);
  return isMapped(groups) ? ipv4Of(groups.slice(6)) : new URL(`http://[${text}]/`).hostname.slice(1, -1);
}

/**
 * Whether an address (as {@linkcode canonicalIp} writes it) is one of the open Internet: not loopback, private,
 * link-local, multicast, reserved, and not one that only leads back to those.
 */
export function isPublicIp(ip: string): boolean {
  if (isIP(ip) === 4) return !isIn(ipv4Bits(ip), CLOSED_V4);
  const groups = ipv6Groups(ip);
  // The translators of networks that have IPv6 only reach the IPv4 address in the last 32 bits.
  if (groups[0] === 0x64 && groups[1] === 0xff9b && groups.slice(2, 6).every((group) => group === 0)) {
    return isPublicIp(ipv4Of(groups.slice(6)));
  }
  const bits = groups.map((group) => group.toString(2).padStart(16, "0")).join("");
  return bits.startsWith(GLOBAL_UNICAST) && !isIn(bits, CLOSED_V6);
}

/** What IANA's registry of special addresses keeps out of the Internet. */
const CLOSED_V4: readonly string[] = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "168.63.129.16/32", // Azure's metadata
  "169.254.0.0/16", // link-local, with the metadata of most clouds
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/3", // multicast, reserved, broadcast
].map((range) => prefix(range, ipv4Bits));

/** 2000::/3; everything else in IPv6 is local, mapped, multicast, or not given out. */
const GLOBAL_UNICAST = "001";

/** In it: Teredo, ORCHID and the like, documentation, 6to4 (which wraps any IPv4 address), documentation again. */
const CLOSED_V6: readonly string[] = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"].map((range) =>
  prefix(range, (ip) => ipv6Groups(ip).map((group) => group.toString(2).padStart(16, "0")).join(""))
);

function prefix(range: string, bitsOf: (ip: string) => string): string {
  const [ip = "", length] = range.split("/");
  return bitsOf(ip).slice(0, Number(length));
}

function isIn(bits: string, prefixes: readonly string[]): boolean {
  return prefixes.some((one) => bits.startsWith(one));
}

function ipv4Bits(ip: string): string {
  return ip.split(".").map((part) => Number(part).toString(2).padStart(8, "0")).join("");
}

function ipv4Of([high = 0, low = 0]: readonly number[]): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

function isMapped(groups: readonly number[]): boolean {
  return groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0);
}

/** The eight numbers of an IPv6 address; the parser of URLs turns a dotted end into hexadecimal. */
function ipv6Groups(ip: string): number[] {
  const [head = "", tail] = new URL(`http://[${ip}]/`).hostname.slice(1, -1).split("::");
  const numbers = (text: string) => text === "" ? [] : text.split(":").map((group) => parseInt(group, 16));
  const [front, back] = [numbers(head), numbers(tail ?? "")];
  return [...front, ...new Array<number>(8 - front.length - back.length).fill(0), ...back];
}
