import { networkInterfaces } from "node:os";
import { raceAbort, withTimeout } from "../../base/abort.ts";
import { SkillzError } from "../../base/errors.ts";
import { type Grants, isLocalName } from "./grants.ts";
import { canonicalIp } from "./ip_address.ts";
import { type Target, targetText } from "./target.ts";

/** All addresses of a name, as the system finds them. */
export type ResolveHost = (host: string) => Promise<readonly string[]>;

/** What {@linkcode dial} needs. */
export interface DialDeps {
  readonly grants: Grants;
  readonly resolve: ResolveHost;
  /** Hears of what was asked for and refused, as a manifest would name it. */
  onDenied(host: string): void;
  readonly signal: AbortSignal;
}

/** Most time for one of several addresses. */
const ATTEMPT_MS = 5000;

/**
 * Connects to a granted target: looks its name up – never that of one that was not granted –, and dials the very addresses
 * that it checked, so that a second answer of the name server changes nothing.
 *
 * Throws `SkillzError`: `denied`, `not_found` for a name without addresses, `unavailable` when none can be reached.
 */
export async function dial(target: Target, deps: DialDeps): Promise<Deno.TcpConn> {
  const { signal } = deps;
  if (!deps.grants.allows(target)) {
    deps.onDenied(targetText(target));
    throw notGranted(target);
  }
  const addresses = await allowedAddresses(target, deps);
  let failure: unknown;
  for (const hostname of addresses) {
    signal.throwIfAborted();
    try {
      using limit = withTimeout(signal, { ms: ATTEMPT_MS, what: `reach "${hostname}"` });
      return await Deno.connect({ hostname, port: target.port, signal: limit.signal });
    } catch (error) {
      failure = error;
    }
  }
  signal.throwIfAborted();
  throw new SkillzError(
    "unavailable",
    `Cannot reach "${targetText(target)}": nobody takes the connection, a running server is wanted`,
    { cause: failure },
  );
}

async function allowedAddresses(
  target: Target,
  { grants, resolve, onDenied, signal }: DialDeps,
): Promise<readonly string[]> {
  if (target.isIp) return [target.host];
  if (isLocalName(target.host)) return ["127.0.0.1", "::1"];
  const found = await raceAbort(resolve(target.host), signal).catch((cause) => {
    signal.throwIfAborted();
    throw noAddress(target, cause);
  });
  const addresses = [...new Set(found.map(canonicalIp).filter((ip) => ip !== undefined))];
  const [first] = addresses;
  if (first === undefined) throw noAddress(target);
  const own = ownAddresses();
  const allowed = addresses.filter((ip) => grants.allowsAddress(target, { ip, isOwn: own.has(ip) }));
  if (allowed.length > 0) return allowed;
  const granting = `${first.includes(":") ? `[${first}]` : first}:${target.port}`;
  onDenied(granting);
  throw new SkillzError(
    "denied",
    `Cannot reach "${
      targetText(target)
    }": it resolves to ${first}, which is not an address of the open Internet`,
    { hint: `If it is meant, add to the manifest permissions.net: [${JSON.stringify(granting)}]` },
  );
}

function notGranted(target: Target): SkillzError {
  const host = targetText(target);
  return new SkillzError("denied", `Cannot reach "${host}": permissions.net does not grant it`, {
    hint: `Add to the manifest permissions.net: [${JSON.stringify(host)}]`,
  });
}

function noAddress(target: Target, cause?: unknown): SkillzError {
  return new SkillzError(
    "not_found",
    `Cannot reach "${targetText(target)}": its name has no address, a name that resolves is wanted`,
    { cause },
  );
}

/** Addresses of this machine: a public one of them reaches what listens here as well as loopback does. */
function ownAddresses(): Set<string> {
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return new Set(all.map(({ address }) => canonicalIp(address)).filter((ip) => ip !== undefined));
}
