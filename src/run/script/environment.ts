import type { Manifest } from "../../tools/tool.ts";

/** Where a script's environment comes from. */
export interface EnvironmentSources {
  /** The fixed safe list of the server's own environment. */
  readonly safe: Readonly<Record<string, string>>;
  /** All `SKILLZ_*` variables that are the tools'. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Names of those that a tool without `permissions` and `env` gets; all when absent. */
  readonly secretsByDefault?: readonly string[];
  /** The call's private folder. */
  readonly scratch: string;
}

/**
 * What a script sees as `context.environment`: the safe list, its secrets, and a home and temporary folder that are
 * its own. Nothing else of the server's environment ever gets there.
 */
export function scriptEnvironment(manifest: Manifest, sources: EnvironmentSources): Record<string, string> {
  return {
    ...sources.safe,
    ...grantedSecrets(manifest, sources),
    HOME: sources.scratch,
    TMPDIR: sources.scratch,
  };
}

/**
 * The secrets that a manifest lets its tool have: those it names in `env` or `permissions.env`. One that has no
 * `permissions` and names none gets all, or those of the default profile.
 */
export function grantedSecrets(
  manifest: Pick<Manifest, "env" | "permissions">,
  { secrets, secretsByDefault }: Pick<EnvironmentSources, "secrets" | "secretsByDefault">,
): Record<string, string> {
  const { env, permissions } = manifest;
  const none = env === undefined && permissions === undefined;
  if (none && secretsByDefault === undefined) return { ...secrets };
  const names = new Set(none ? secretsByDefault : [...env ?? [], ...permissions?.env ?? []]);
  return Object.fromEntries(Object.entries(secrets).filter(([name]) => names.has(name)));
}
