import { z } from "zod";
import { okResult } from "../../base/tool_result.ts";
import { loadLate } from "../../base/load_late.ts";
import type { AddRepositoryDeps, AddRepositoryResult } from "../../skills/add_repository.ts";
import type { Builtin } from "../builtin.ts";

const input = z.strictObject({
  url: z.string().min(1).describe("https, ssh, git@ or file address; may end in /tree/BRANCH/PATH"),
  branch: z.string().optional().describe("The default branch if absent"),
  timeout: z.number().positive().max(3600).default(300).describe("Seconds for one step of git"),
});

const output = z.looseObject({
  repo: z.string(),
  skills: z.array(z.string()),
  skipped: z.array(z.looseObject({ path: z.string(), reason: z.string() })),
});

/** `add_skill_repo`: clones a repository of knowledge skills, or brings one up to date. */
export function createAddSkillRepoTool(deps: Omit<AddRepositoryDeps, "timeoutMs">): Builtin<typeof input> {
  return {
    name: "add_skill_repo",
    title: "Add a repository of skills",
    description:
      "Clone a git repository with SKILL.md folders; its skills become prompts and resources. Again: update it.",
    skill: "dev",
    input,
    output,
    annotations: { destructiveHint: false, idempotentHint: true, openWorldHint: true },
    async run({ url, branch, timeout }, ctx) {
      let steps = 0;
      const { addRepository } = await loadLate<typeof import("../../skills/add_repository.ts")>(
        new URL("../../skills/add_repository.ts", import.meta.url),
      );
      const added = await addRepository({ url, ...(branch === undefined ? {} : { branch }) }, {
        ...deps,
        timeoutMs: Math.ceil(timeout * 1000),
      }, {
        signal: ctx.signal,
        progress: (message) => ctx.caller.progress({ progress: ++steps, message }),
      });
      return okResult(textOf(added), {
        repo: added.name,
        owner: added.owner,
        branch: added.branch,
        commit: added.commit,
        updated: added.updated,
        skills: added.skills.map(({ name }) => name),
        skipped: added.skipped.map(({ path, reason }) => ({ path, reason })),
        warnings: warningsOf(added).map(({ name, warning }) => ({ name, warning })),
      });
    },
  };
}

function textOf(added: AddRepositoryResult): string {
  const names = added.skills.map(({ name }) => name).join(", ");
  const count = `${added.skills.length} skill${added.skills.length === 1 ? "" : "s"}`;
  return [
    `${added.updated ? "Updated" : "Added"} repo '${added.name}' with ${count}: ${names}`,
    ...added.skipped.map(({ path, reason }) => `Skipped ${path || "the whole"}: it ${reason}`),
    ...warningsOf(added).map(({ name, warning }) => `Warning for ${name}: ${warning}`),
    "Each is a prompt and a resource, skillz://skills/NAME; activate_skill with its name shows what it says.",
  ].join("\n");
}

function warningsOf({ skills }: AddRepositoryResult): { name: string; warning: string }[] {
  return skills.flatMap(({ name, declared, warnings }) => [
    ...warnings.map((warning) => ({ name, warning })),
    ...(name === declared || warnings.some((one) => one.startsWith("it has no name"))
      ? []
      : [{ name, warning: `the name "${declared}" was taken` }]),
  ]);
}
