import type { Tool } from "../tools/tool.ts";
import type { KnowledgeSkill } from "./skill_store.ts";

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
  /** Words that it is found by. */
  readonly tags?: readonly string[];
}

/** What skills there are; the table that activation is resolved against. */
export interface SkillCatalog {
  /** The skill of that name. */
  find(name: string): SkillEntry | undefined;
  /** All of them in a stable order. */
  list(): readonly SkillEntry[];
}

/** Knowledge skills that a catalog holds. */
interface Knowledge {
  get(name: string): KnowledgeSkill | undefined;
  list(): readonly KnowledgeSkill[];
}

/**
 * A catalog over the built-in skills, and the tools and knowledge skills that there are at the time of each question.
 * The folder of a tool may hold a SKILL.md too: then the tool is what is activated.
 */
export function createSkillCatalog(
  tools: { get(name: string): Tool | undefined; list(): readonly Tool[] },
  knowledge: Knowledge = { get: () => undefined, list: () => [] },
): SkillCatalog {
  return {
    find(name) {
      if (isVirtualSkill(name)) return virtualEntry(name);
      const tool = tools.get(name);
      if (tool) return toolEntry(tool);
      const skill = knowledge.get(name);
      return skill ? knowledgeEntry(skill) : undefined;
    },
    list() {
      const virtual = Object.keys(VIRTUAL_SKILLS).filter(isVirtualSkill).map(virtualEntry);
      const others = knowledge.list().filter(({ name }) => !tools.get(name)).map(knowledgeEntry);
      return [...virtual, ...tools.list().map(toolEntry), ...others];
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
    tags: tool.manifest.tags,
  };
}

function knowledgeEntry({ name, description, requires, tags }: KnowledgeSkill): SkillEntry {
  return { name, kind: "knowledge", description, requires, tags };
}
