import { SkillzError } from "../base/errors.ts";
import type { JsonObject } from "../base/json.ts";
import type { Permissions } from "./permissions.ts";
import { decide, type Policy } from "./policy.ts";
import { itemsOf, permissionText, toPermissions } from "./policy_items.ts";
import type { PolicyMemory } from "./policy_memory.ts";
import { openPathView, type PolicyPlaces } from "./policy_paths.ts";

/** A tool of which the policy is asked. */
export interface PolicySubject {
  readonly name: string;
  readonly hash: string;
  /** `permissions` of its manifest. */
  readonly permissions: Permissions | undefined;
  /** `env` of its manifest. */
  readonly env: readonly string[] | undefined;
}

/** Who can be asked, for one decision. */
export interface PolicyCaller {
  readonly roots: readonly string[];
  /** Puts a form to the user; absent where nobody can be asked. Returns MCP's result of an elicitation. */
  ask?(question: { message: string; requestedSchema: JsonObject; key: string }): Promise<JsonObject>;
}

/** What is about to happen with the tool. */
export interface PolicyOccasion {
  /** For messages, after "Cannot". */
  readonly action: "save" | "run";
  /** Whether it comes from elsewhere. */
  readonly imported?: boolean;
  /**
   * Whether what the user confirms holds for later as well.
   * @default true
   */
  readonly remember?: boolean;
}

/** Holds tools to the policy. */
export interface PolicyGuard {
  /** Returns when the tool may have its permissions, after a question if need be. Throws `SkillzError("denied")`. */
  require(subject: PolicySubject, caller: PolicyCaller, occasion: PolicyOccasion): Promise<void>;
}

/** What {@linkcode createPolicyGuard} needs. */
export interface PolicyGuardDeps {
  readonly policy: Policy;
  readonly memory: PolicyMemory;
  readonly home: string;
  /** Names of the secrets there are: an imported tool that names none gets all of them. */
  readonly secretNames: readonly string[];
}

/** A guard over one policy. */
export function createPolicyGuard(deps: PolicyGuardDeps): PolicyGuard {
  return {
    async require(subject, caller, occasion) {
      const confirmed = await deps.memory.get(subject.name);
      const imported = occasion.imported === true || confirmed?.imported === true;
      if (deps.policy.ceilings.length === 0 && !imported) return;
      const wanted = wantedBy(subject, { imported, secretNames: deps.secretNames });
      const remembered = confirmed?.permissions ?? {};
      const places: PolicyPlaces = { roots: caller.roots, home: deps.home };
      const paths = await openPathView([wanted, remembered, ...listsOf(deps.policy)], places);
      const decision = decide(wanted, deps.policy, { remembered, imported, paths });
      if (decision.kind === "deny") {
        throw refused(subject, { occasion, broken: deps.policy.broken, ...decision });
      }
      if (decision.kind === "ask") await confirm(subject, decision.difference, { caller, occasion });
      const isNews = decision.kind === "ask" || (occasion.imported === true && confirmed?.imported !== true);
      if (!isNews || occasion.remember === false) return;
      const asked = decision.kind === "ask" ? itemsOf(decision.difference) : [];
      const permissions = toPermissions([...itemsOf(remembered), ...asked]);
      await deps.memory.set(subject.name, { hash: subject.hash, permissions, imported });
    },
  };
}

interface WantedOptions {
  imported: boolean;
  secretNames: readonly string[];
}

/** Everything that a tool asks for. One without `permissions` gets the default profile, which nobody has to confirm. */
function wantedBy(
  { permissions, env }: PolicySubject,
  { imported, secretNames }: WantedOptions,
): Permissions {
  if (permissions !== undefined) return { ...permissions, env: [...permissions.env ?? [], ...env ?? []] };
  return imported ? { env: env ?? secretNames } : {};
}

function listsOf({ defaultProfile, ceilings }: Policy): (Permissions | undefined)[] {
  return [defaultProfile, ...ceilings.flatMap(({ allow, ask, deny }) => [allow, ask, deny])];
}

interface Refusal {
  occasion: PolicyOccasion;
  rule: string;
  refused: Permissions;
  broken: string | undefined;
}

function refused(subject: PolicySubject, { occasion, rule, refused, broken }: Refusal): SkillzError {
  const what = `Cannot ${occasion.action} "${subject.name}": `;
  const why = broken === undefined
    ? `${rule} of skillz.toml does not let a tool have ${permissionText(refused)}`
    : `it asks for ${
      permissionText(refused)
    }, and the policy that would decide on it can't be read: ${broken}`;
  return new SkillzError("denied", what + why, {
    hint: broken === undefined ? "Take it out of its permissions, or change [policy]" : "Mend skillz.toml",
  });
}

interface Confirmation {
  caller: PolicyCaller;
  occasion: PolicyOccasion;
}

const SCHEMA: JsonObject = {
  type: "object",
  properties: {
    allow: {
      type: "boolean",
      title: "Allow",
      description: "Whether the tool may have these permissions",
      default: false,
    },
  },
  required: ["allow"],
};

async function confirm(
  { name }: PolicySubject,
  difference: Permissions,
  { caller, occasion }: Confirmation,
): Promise<void> {
  const wants = permissionText(difference);
  if (caller.ask === undefined) {
    throw new SkillzError(
      "denied",
      `Cannot ${occasion.action} "${name}": the user must confirm ${wants}, and this client can't ask`,
      {
        hint:
          "Add it to [policy.allow] of skillz.toml in TOOLS_DIR, or use a client that can ask (elicitation)",
      },
    );
  }
  const answer = await caller.ask({
    message: `The tool "${name}" asks for more than it may have: ${wants}. Allow it?`,
    requestedSchema: SCHEMA,
    key: `policy:${name}`,
  });
  const content = answer.content;
  const allowed = answer.action === "accept" && typeof content === "object" && content !== null &&
    !Array.isArray(content) && content.allow === true;
  if (allowed) return;
  throw new SkillzError("denied", `Cannot ${occasion.action} "${name}": the user did not allow ${wants}`);
}
