import { parseHost, parseTarget } from "./egress/target.ts";

/** A host as manifests and policies name it: `host`, `host:port`, `*.domain`, an IP address, with or without a port. */
export interface HostRule {
  /** Lower-case ASCII name, or an IP address in canonical form. */
  readonly host: string;
  /** Whether `host` is an address, which has no names below it. */
  readonly isIp: boolean;
  /** The names below `host`, at any depth, and not `host` itself. */
  readonly below: boolean;
  /** Absent: every port. */
  readonly port?: number;
}

/** Reads one; `undefined` for what is malformed. */
export function parseHostRule(text: string): HostRule | undefined {
  const below = text.startsWith("*.");
  const plain = below ? text.slice(2) : text;
  const target = parseTarget(plain);
  const host = target ?? parseHost(plain);
  if (host === undefined || (below && host.isIp)) return undefined;
  return { host: host.host, isIp: host.isIp, below, ...(target === undefined ? {} : { port: target.port }) };
}

/** Whether whatever `inner` lets through is let through by `outer` too. */
export function coversHost(outer: HostRule, inner: HostRule): boolean {
  if (outer.port !== undefined && outer.port !== inner.port) return false;
  if (!outer.below) return !inner.below && inner.host === outer.host;
  if (inner.isIp) return false;
  return inner.host.endsWith(`.${outer.host}`) || (inner.below && inner.host === outer.host);
}

/** Whether there is a host and port that both let through. */
export function sharesHost(one: HostRule, other: HostRule): boolean {
  const samePort = one.port === undefined || other.port === undefined || one.port === other.port;
  const [anyPort, otherAny] = [one, other].map(({ host, isIp, below }): HostRule => ({ host, isIp, below }));
  if (!samePort || anyPort === undefined || otherAny === undefined) return false;
  return coversHost(anyPort, otherAny) || coversHost(otherAny, anyPort);
}
