import { readSkillText } from "../skills/read_skill.ts";
import { readSkillFiles } from "../skills/skill_files.ts";
import type { KnowledgeSkill } from "../skills/skill_store.ts";
import type { SkillsPort } from "./ports.ts";

/** Knowledge skills for the skills extension, with what its list shows. */
export interface KnowledgePort extends SkillsPort {
  /** Name and description of the skill at a path. */
  describe(path: string): { readonly name: string; readonly description: string };
}

/**
 * Knowledge skills as the skills extension wants them: each at a path that is its name by the rules of the format.
 * A SKILL.md that breaks those rules is shown as it was understood.
 */
export function createKnowledgePort(skills: { list(): readonly KnowledgeSkill[] }): KnowledgePort {
  const byPath = () => {
    const found = new Map<string, KnowledgeSkill>();
    for (const skill of skills.list()) {
      const path = pathOf(skill.name);
      let free = path;
      for (let n = 2; found.has(free); n++) free = `${path}-${n}`;
      found.set(free, skill);
    }
    return found;
  };
  return {
    paths: () => [...byPath().keys()].sort(),
    async open(path) {
      const skill = byPath().get(path);
      const files = skill && await readSkillFiles(skill).catch(() => undefined);
      const text = files?.["SKILL.md"];
      if (!skill || !files || !text) return undefined;
      if (path === skill.declared && skill.warnings.length === 0) return { path, files };
      return {
        path,
        files: { ...files, "SKILL.md": await byTheRules(new TextDecoder().decode(text), path) },
      };
    },
    describe(path) {
      const skill = byPath().get(path);
      return { name: skill?.name ?? path, description: skill?.description ?? "" };
    },
  };
}

function pathOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 60) || "skill";
}

async function byTheRules(text: string, name: string): Promise<string> {
  const read = await readSkillText(text, name);
  if (read.kind === "faulty") return text;
  const { license } = read.fields;
  const fields = { name, description: read.description, ...(typeof license === "string" ? { license } : {}) };
  // Every JSON text is a YAML one.
  const lines = Object.entries(fields).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return `---\n${lines.join("\n")}\n---\n\n${read.body}`;
}
