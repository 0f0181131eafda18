import { join } from "node:path";
import type { AdmissionCheck } from "../author/admit_tool.ts";
import { late } from "../base/late.ts";
import { loadLate } from "../base/load_late.ts";
import type { Logger } from "../base/log.ts";
import type { Config } from "../config/config.ts";
import type { CallContext } from "../run/call_context.ts";
import { workspaceRoots } from "../run/workspace_roots.ts";
import type { Permissions } from "../sandbox/permissions.ts";
import type { PolicyCaller, PolicyGuard, PolicyOccasion } from "../sandbox/policy_guard.ts";
import type { PolicyMemory } from "../sandbox/policy_memory.ts";
import { parsePolicy } from "../sandbox/policy_parse.ts";
import type { Tool } from "../tools/tool.ts";

/** The policy, in the forms in which the other parts ask for it. */
export interface ComposedPolicy {
  /** What a tool without `permissions` gets. */
  readonly defaultProfile: Permissions;
  /** For tools that are made here. */
  readonly check: AdmissionCheck;
  /** For tools that come from elsewhere: whatever they ask for is confirmed first. */
  readonly checkImported: AdmissionCheck;
  /** For each call: a manifest may have grown on disk. */
  authorize(tool: Tool, ctx: CallContext): Promise<void>;
  /** For programs that are run once, whose permissions are confirmed each time. */
  authorizeOnce(tool: Tool, ctx: CallContext): Promise<void>;
  /** Forgets what was confirmed for a tool that is gone. */
  forget(name: string): Promise<void>;
}

/** Name of the file in TOOLS_DIR that keeps what users confirmed. */
const MEMORY_FILE = ".policy.json";

/** Reads `[policy]`; what is wrong with it goes to the log. */
export function composePolicy(config: Config, logger: Logger): ComposedPolicy {
  const { policy, problems } = parsePolicy(config.policy);
  for (const problem of problems) logger.warn(problem);
  const memory = late<PolicyMemory>(async () => {
    const url = new URL("../sandbox/policy_memory.ts", import.meta.url);
    const { createPolicyMemory } = await loadLate<typeof import("../sandbox/policy_memory.ts")>(url);
    return createPolicyMemory(join(config.toolsDir, MEMORY_FILE));
  });
  const guard = late<PolicyGuard>(async () => {
    const url = new URL("../sandbox/policy_guard.ts", import.meta.url);
    const { createPolicyGuard } = await loadLate<typeof import("../sandbox/policy_guard.ts")>(url);
    return createPolicyGuard({ policy, memory, home: config.home, secretNames: Object.keys(config.secrets) });
  });
  const require = async (tool: Tool, ctx: CallContext, occasion: PolicyOccasion) => {
    const { permissions, env } = tool.manifest;
    const subject = { name: tool.name, hash: tool.hash, permissions, env };
    await guard.require(subject, callerOf(ctx, config.roots), occasion);
  };
  return {
    defaultProfile: policy.defaultProfile,
    check: (staged, ctx) => require(staged, ctx, { action: "save" }),
    checkImported: (staged, ctx) => require(staged, ctx, { action: "save", imported: true }),
    authorize: (tool, ctx) => require(tool, ctx, { action: "run" }),
    authorizeOnce: (tool, ctx) => require(tool, ctx, { action: "run", remember: false }),
    forget: (name) => memory.remove(name),
  };
}

function callerOf(ctx: CallContext, configuredRoots: readonly string[]): PolicyCaller {
  const { caller, signal } = ctx;
  return {
    signal,
    roots: () => workspaceRoots(ctx, configuredRoots),
    ...(caller.capabilities.elicitation
      ? {
        ask: ({ message, requestedSchema, key }) =>
          caller.ask({ method: "elicitation/create", params: { message, requestedSchema }, key }, signal),
      }
      : {}),
  };
}
