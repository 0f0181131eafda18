import type { Permissions } from "./permissions.ts";
import { permissionText } from "./policy_items.ts";

/** What a tool without `permissions` may do, in words for models. */
export function profileText(profile: Permissions): string {
  const { env, ...rest } = profile;
  const secrets = env === undefined
    ? "all secrets"
    : env.length > 0
    ? `secrets: ${env.join(", ")}`
    : "no secrets";
  const granted = permissionText(rest);
  if (granted === 'read: ["$ROOTS"]') {
    return `the workspace may be read, nothing written but $TMP, no network, ${secrets}`;
  }
  return `${granted === "" ? "nothing" : granted} and $TMP, nothing else; ${secrets}`;
}
