import type { Permissions } from "./permissions.ts";
import {
  covers,
  itemsOf,
  overlaps,
  type PathView,
  type PermissionItem,
  toPermissions,
} from "./policy_items.ts";

/** What `[policy]` of one `skillz.toml` lets tools ask for. */
export interface Ceiling {
  /** Granted without a question. Absent: everything that `ask` and `deny` do not name. */
  readonly allow?: Permissions;
  /** The user is asked. Absent beside an `allow`: everything that goes beyond that. */
  readonly ask?: Permissions;
  /** Refused, whoever asks. */
  readonly deny?: Permissions;
  /** Whether it is the user's own; one that lies in a workspace can only take away. */
  readonly own: boolean;
}

/** The whole policy. */
export interface Policy {
  /** What a tool without `permissions` gets. */
  readonly defaultProfile: Permissions;
  /** All of them must let a permission pass. */
  readonly ceilings: readonly Ceiling[];
  /** Why nothing more than the default profile is granted, if the policy could not be read. */
  readonly broken?: string;
}

/** The policy of a server without `[policy]`: every permission that a tool names is granted. */
export const OPEN_POLICY: Policy = { defaultProfile: { read: ["$ROOTS"] }, ceilings: [] };

/** What the policy says to permissions. */
export type Decision =
  | { readonly kind: "allow" }
  /** The user must confirm exactly `difference`. */
  | { readonly kind: "ask"; readonly difference: Permissions }
  /** `rule` forbids `refused`. */
  | { readonly kind: "deny"; readonly rule: string; readonly refused: Permissions };

/** What {@linkcode decide} has to know beside the policy. */
export interface DecideOptions {
  /** What the user has confirmed for this tool. */
  readonly remembered?: Permissions;
  /** Whether the tool comes from elsewhere: then all that it asks for has to be confirmed. */
  readonly imported?: boolean;
  /** What a path of a permission means. */
  readonly paths: PathView;
}

/** Whether a tool may have permissions: at once, after a question, or not at all. */
export function decide(wanted: Permissions, policy: Policy, options: DecideOptions): Decision {
  const { remembered = {}, imported = false, paths } = options;
  const isCovered = (list: Permissions | undefined, item: PermissionItem) =>
    list !== undefined && covers(list, item, { paths });
  const items = itemsOf(wanted);
  const asked = new Set<PermissionItem>();
  for (const { allow, ask, deny } of policy.ceilings) {
    const denied = items.filter((item) => deny !== undefined && overlaps(deny, item, { paths }));
    if (denied.length > 0) return refusal("deny", denied);
    const beyond = items.filter((item) => {
      if (isCovered(policy.defaultProfile, item)) return false;
      return allow === undefined
        ? ask !== undefined && overlaps(ask, item, { paths })
        : !isCovered(allow, item);
    });
    const refused = beyond.filter((item) =>
      allow !== undefined && ask !== undefined && !isCovered(ask, item)
    );
    if (refused.length > 0) return refusal("allow", refused);
    for (const item of beyond) asked.add(item);
  }
  if (imported) {
    const vouched = policy.ceilings.filter((ceiling) => ceiling.own).map((ceiling) => ceiling.allow);
    const isVouched = (item: PermissionItem) =>
      [policy.defaultProfile, ...vouched].some((list) => isCovered(list, item));
    for (const item of items) if (!isVouched(item)) asked.add(item);
  }
  const difference = [...asked].filter((item) => !isCovered(remembered, item));
  return difference.length === 0 ? { kind: "allow" } : { kind: "ask", difference: toPermissions(difference) };
}

function refusal(list: "allow" | "deny", items: readonly PermissionItem[]): Decision {
  return { kind: "deny", rule: `policy.${list}.${items[0]?.field ?? ""}`, refused: toPermissions(items) };
}
