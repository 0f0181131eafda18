import type { Manifest } from "../../tools/tool.ts";

/** Where a script's environment comes from. */
export interface EnvironmentSources {
  /** The fixed safe list of the server's own environment. */
  readonly safe: Readonly<Record<string, string>>;
  /** All `SKILLZ_*` variables that are the tools'. */
  readonly secrets: Readonly<Record<string, string>>;
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
    ...grantedSecrets(manifest, sources.secrets),
    HOME: sources.scratch,
    TMPDIR: sources.scratch,
  };
}

/**
 * The secrets that a manifest lets its tool have: those it names in `env` or `permissions.env`. One that has no
 * `permissions` and names none gets all.
 */
export function grantedSecrets(
  manifest: Pick<Manifest, "env" | "permissions">,
  secrets: Readonly<Record<string, string>>,
): Record<string, string> {
  const { env, permissions } = manifest;
  if (env === undefined && permissions === undefined) return { ...secrets };
  const names = new Set([...env ?? [], ...permissions?.env ?? []]);
  return Object.fromEntries(Object.entries(secrets).filter(([name]) => names.has(name)));
}
