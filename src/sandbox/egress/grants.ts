import { coversHost, type HostRule, parseHostRule } from "../host_rule.ts";
import { isPublicIp } from "./ip_address.ts";
import type { Target } from "./target.ts";

interface Rule extends HostRule {
  /** A service: whatever its name resolves to is meant. */
  readonly service: boolean;
}

/** The hosts that one job may reach. */
export class Grants {
  readonly #rules: readonly Rule[];

  /** Reads hosts as manifests name them (`host`, `host:port`, `*.domain`, `[IPv6]:port`), and services. */
  constructor(hosts: readonly string[], services: readonly string[] = []) {
    this.#rules = [
      ...hosts.flatMap((text) => readRule(text, false)),
      ...services.flatMap((text) => readRule(text, true)),
    ];
  }

  /** Whether it was granted by what it is called. What a name leads to is another question. */
  allows(target: Target): boolean {
    return this.#rules.some((rule) => matches(rule, target));
  }

  /**
   * Whether the address that a granted name resolved to may be dialled: one of the Internet, one that was granted
   * itself, or that of a service. `isOwn` says whether it is this machine's.
   */
  allowsAddress(target: Target, { ip, isOwn }: { ip: string; isOwn: boolean }): boolean {
    if (isPublicIp(ip) && !isOwn) return true;
    const itself = { host: ip, isIp: true, port: target.port };
    return this.#rules.some((rule) =>
      (rule.isIp && matches(rule, itself)) || (rule.service && matches(rule, target))
    );
  }

  /** Ports of this machine that were granted one by one, as they are reached outside. */
  loopbackTargets(): Target[] {
    return this.#rules.filter(isLoopbackRule).flatMap(({ host, isIp, port }) =>
      port === undefined ? [] : [{ host, isIp, port }]
    );
  }

  /** Whether this machine was granted with all its ports. */
  get wholeLoopback(): boolean {
    return this.#rules.some((rule) => isLoopbackRule(rule) && rule.port === undefined);
  }
}

/** Whether a name means this machine, whatever a name server says (RFC 6761). */
export function isLocalName(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost");
}

function isLoopbackRule({ host, isIp, below }: Rule): boolean {
  return !below && (isIp ? host === "127.0.0.1" || host === "::1" : isLocalName(host));
}

function matches(rule: Rule, target: Target): boolean {
  return coversHost(rule, { ...target, below: false });
}

/** Manifests are checked when they are loaded: what is malformed here grants nothing. */
function readRule(text: string, service: boolean): Rule[] {
  const rule = parseHostRule(text);
  return rule === undefined ? [] : [{ ...rule, service }];
}
