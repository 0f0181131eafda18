import { z } from "zod";
import { SkillzError } from "../../base/errors.ts";
import { okResult } from "../../base/tool_result.ts";
import { type ActivationSources, resolveActivation } from "../../skills/activation.ts";
import { isVirtualSkill, VIRTUAL_SKILLS } from "../../skills/catalog.ts";
import type { Builtin } from "../builtin.ts";

/** The active skills of each session; implemented by the session store. */
export interface ActiveSkills {
  /** What is active for a session now. */
  active(sessionId: string): ReadonlySet<string>;
  /** Adds and removes skills; tells the session that its tool list changed if it did. */
  change(sessionId: string, change: { add?: readonly string[]; remove?: readonly string[] }): void;
}

/** What both skill tools need. */
export interface SkillToolDeps {
  /** Where names are looked up, read anew for each call because tools and bundles change. */
  sources(): Promise<ActivationSources>;
  /** Per-session state. */
  skills: ActiveSkills;
  /** Names of the tools that a skill makes visible. */
  toolsOf(skill: string): readonly string[];
  /** What a knowledge skill says; undefined for all others. */
  textOf(skill: string): Promise<string | undefined>;
}

const input = z.strictObject({ name: z.string().min(1).describe("A skill or a @bundle") });
const output = z.looseObject({ active: z.array(z.string()) });

/** `activate_skill`: makes a skill's tools visible to this session, requirements first. */
export function createActivateSkillTool(deps: SkillToolDeps): Builtin<typeof input> {
  return {
    name: "activate_skill",
    title: "Activate a skill",
    description:
      "Show a skill's tools in tools/list: dev, sys, memory, any tool's name, or a bundle such as @dev-full.",
    skill: "always",
    input,
    output,
    annotations: { idempotentHint: true, openWorldHint: false },
    async run({ name }, ctx) {
      refuseBuiltin(name, deps);
      const { skills, problems } = resolveActivation(name, await deps.sources());
      const before = deps.skills.active(ctx.caller.sessionId);
      const added = skills.filter((skill) => !before.has(skill));
      deps.skills.change(ctx.caller.sessionId, { add: added });
      const tools = skills.flatMap((skill) => deps.toolsOf(skill));
      const text = [
        added.length ? `Activated: ${added.join(", ")}` : `Already active: ${name}`,
        tools.length
          ? `Tools now listed: ${
            tools.join(", ")
          }. If your client does not show them, use call_tool with tool_name.`
          : "It has no tools of its own.",
        ...problems,
        ...await textsOf(skills, deps),
      ].join("\n");
      const active = [...deps.skills.active(ctx.caller.sessionId)];
      return okResult(text, { active, activated: added, tools, problems: [...problems] });
    },
  };
}

/** Built-in tools come with a skill, or are always there. */
function refuseBuiltin(name: string, { toolsOf }: SkillToolDeps): void {
  if (isVirtualSkill(name)) return;
  const skill = Object.keys(VIRTUAL_SKILLS).find((each) => toolsOf(each).includes(name));
  if (skill !== undefined) {
    throw new SkillzError(
      "invalid_input",
      `Cannot activate "${name}": it is a tool of the skill "${skill}"`,
      {
        hint: `Use activate_skill {"name": "${skill}"}`,
      },
    );
  }
}

/** Many clients show their models neither prompts nor resources: the answer has what the skills say. */
async function textsOf(skills: readonly string[], { textOf }: SkillToolDeps): Promise<string[]> {
  const texts = await Promise.all(skills.map(async (name) => ({ name, text: await textOf(name) })));
  return texts.flatMap(({ name, text }) => text === undefined ? [] : [`\n# Skill ${name}\n\n${text}`]);
}

/** `deactivate_skill`: hides a skill's tools again; they stay callable through `call_tool`. */
export function createDeactivateSkillTool(deps: SkillToolDeps): Builtin<typeof input> {
  return {
    name: "deactivate_skill",
    title: "Deactivate a skill",
    description: "Hide a skill's tools again; call_tool still reaches them.",
    skill: "always",
    input,
    output,
    annotations: { idempotentHint: true, openWorldHint: false },
    async run({ name }, ctx) {
      const before = deps.skills.active(ctx.caller.sessionId);
      const sources = await deps.sources();
      // A tool that was deleted since can still be switched off; requirements of others stay on.
      const targets = name.startsWith("@") ? resolveActivation(name, sources).skills : [name];
      if (!before.has(name) && !name.startsWith("@")) resolveActivation(name, sources);
      const removed = targets.filter((skill) => before.has(skill));
      deps.skills.change(ctx.caller.sessionId, { remove: removed });
      const text = removed.length ? `Deactivated: ${removed.join(", ")}` : `Was not active: ${name}`;
      return okResult(text, { active: [...deps.skills.active(ctx.caller.sessionId)], deactivated: removed });
    },
  };
}
