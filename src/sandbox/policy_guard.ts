import { raceAbort } from "../base/abort.ts";
import { SkillzError } from "../base/errors.ts";
import type { JsonObject } from "../base/json.ts";
import type { Permissions } from "./permissions.ts";
import { decide, type Decision, type Policy } from "./policy.ts";
import { itemsOf, permissionText, toPermissions } from "./policy_items.ts";
import type { Confirmed, PolicyMemory } from "./policy_memory.ts";
import { openPathView } from "./policy_paths.ts";

/** A tool of which the policy is asked. */
export interface PolicySubject {
  /** As messages call it, and under which answers are remembered. */
  readonly name: string;
  /** Kept with an answer, to tell later what it was given for. */
  readonly hash: string;
  /** `permissions` of its manifest. */
  readonly permissions: Permissions | undefined;
  /** `env` of its manifest. */
  readonly env: readonly string[] | undefined;
}

/** Who can be asked, for one decision. */
export interface PolicyCaller {
  readonly signal: AbortSignal;
  /** Workspace roots; asked for only when the policy depends on them. */
  roots(): Promise<readonly string[]>;
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
  /** What `$HOME` stands for. */
  readonly home: string;
  /** Names of the secrets there are: an imported tool that names none gets all of them. */
  readonly secretNames: readonly string[];
}

/** A guard over one policy. */
export function createPolicyGuard(deps: PolicyGuardDeps): PolicyGuard {
  return new Guard(deps);
}

class Guard implements PolicyGuard {
  readonly #deps: PolicyGuardDeps;
  /** The question about a tool that is with a user, by name: another call waits for the answer instead of asking again. */
  readonly #asking = new Map<string, Promise<void>>();

  constructor(deps: PolicyGuardDeps) {
    this.#deps = deps;
  }

  async require(subject: PolicySubject, caller: PolicyCaller, occasion: PolicyOccasion): Promise<void> {
    while (true) {
      const found = await this.#decide(subject, caller, occasion);
      if (found.decision.kind === "allow") return await this.#note(subject, occasion, found);
      const other = this.#asking.get(subject.name);
      if (other === undefined) {
        const mine = this.#confirm(subject, found, { caller, occasion });
        this.#asking.set(subject.name, mine);
        return await mine.finally(() => this.#asking.delete(subject.name));
      }
      await raceAbort(other.catch(() => {}), caller.signal);
    }
  }

  /** What the policy says; throws what it denies. */
  async #decide(subject: PolicySubject, caller: PolicyCaller, occasion: PolicyOccasion): Promise<Found> {
    const { policy, memory, home, secretNames } = this.#deps;
    const confirmed = await memory.get(subject.name);
    const imported = occasion.imported === true || confirmed?.imported === true;
    if (policy.ceilings.length === 0 && !imported) {
      return { decision: { kind: "allow" }, imported, confirmed };
    }
    const wanted = wantedBy(subject, { imported, secretNames });
    const remembered = occasion.remember === false ? {} : confirmed?.permissions ?? {};
    const paths = await openPathView([wanted, remembered, ...listsOf(policy)], {
      roots: await caller.roots(),
      home,
    });
    const decision = decide(wanted, policy, { remembered, imported, paths });
    if (decision.kind === "deny") throw refused(subject, { occasion, broken: policy.broken, ...decision });
    return { decision, imported, confirmed };
  }

  async #confirm(subject: PolicySubject, found: Found, confirmation: Confirmation): Promise<void> {
    if (found.decision.kind !== "ask") return;
    await confirm(subject, found.decision.difference, confirmation);
    await this.#note(subject, confirmation.occasion, found);
  }

  /** Remembers what was confirmed, and that a tool came from elsewhere. */
  async #note(subject: PolicySubject, occasion: PolicyOccasion, found: Found): Promise<void> {
    const { decision, imported, confirmed } = found;
    const isNews = decision.kind === "ask" || (imported && confirmed?.imported !== true);
    if (!isNews || occasion.remember === false) return;
    const asked = decision.kind === "ask" ? itemsOf(decision.difference) : [];
    const permissions = toPermissions([...itemsOf(confirmed?.permissions ?? {}), ...asked]);
    await this.#deps.memory.set(subject.name, { hash: subject.hash, permissions, imported });
  }
}

interface Found {
  decision: Decision;
  imported: boolean;
  confirmed: Confirmed | undefined;
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
