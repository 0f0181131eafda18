import type { Tool } from "../tools/tool.ts";

/** Skills that hold built-in tools. */
export const VIRTUAL_SKILLS = {
  dev: "Make, change, import and delete tools",
  sys: "Pipelines, services and calls between tools",
  memory: "Store and find values that outlive a session",
} as const;

/** A built-in skill's name. */
export type VirtualSkill = keyof typeof VIRTUAL_SKILLS;

/** Whether a name is one of the built-in skills. */
export function isVirtualSkill(name: string): name is VirtualSkill {
  return Object.hasOwn(VIRTUAL_SKILLS, name);
}

/** Something that can be switched on. */
export interface SkillEntry {
  /** Its name, also the argument of `activate_skill`. */
  readonly name: string;
  /** `virtual` holds built-in tools, `tool` is one tool made by a user, `knowledge` a SKILL.md. */
  readonly kind: "virtual" | "tool" | "knowledge";
  /** What it is for. */
  readonly description: string;
  /** Skills that must be active with it. */
  readonly requires: readonly string[];
}

/** What skills there are; the table that activation is resolved against. */
export interface SkillCatalog {
  /** The skill of that name. */
  find(name: string): SkillEntry | undefined;
  /** All of them in a stable order. */
  list(): readonly SkillEntry[];
}

/** A catalog over the built-in skills and the tools that `tools` has at the time of each question. */
export function createSkillCatalog(
  tools: { get(name: string): Tool | undefined; list(): readonly Tool[] },
): SkillCatalog {
  return {
    find(name) {
      if (isVirtualSkill(name)) return virtualEntry(name);
      const tool = tools.get(name);
      return tool ? toolEntry(tool) : undefined;
    },
    list() {
      const virtual = Object.keys(VIRTUAL_SKILLS).filter(isVirtualSkill).map(virtualEntry);
      return [...virtual, ...tools.list().map(toolEntry)];
    },
  };
}

function virtualEntry(name: VirtualSkill): SkillEntry {
  return { name, kind: "virtual", description: VIRTUAL_SKILLS[name], requires: [] };
}

function toolEntry(tool: Tool): SkillEntry {
  const kind = tool.manifest.tool_type === "knowledge" ? "knowledge" : "tool";
  return {
    name: tool.name,
    kind,
    description: tool.manifest.description,
    requires: tool.manifest.requires_skills,
  };
}
