import { readSkill } from "./read_skill.ts";
import { listSkillFiles } from "./skill_files.ts";
import type { KnowledgeSkill } from "./skill_store.ts";
import { unknownKnowledge } from "./skill_store.ts";

/** A knowledge skill with what it says, read now. */
export interface OpenedSkill {
  /** The Markdown of its SKILL.md. */
  readonly body: string;
  /** Paths of its other files. */
  readonly files: readonly string[];
}

/** Reads a skill's text and the list of its files. Throws `not_found` when it has gone. */
export async function openSkill(skill: KnowledgeSkill): Promise<OpenedSkill> {
  try {
    const read = await readSkill(skill.directory, { folder: skill.folder });
    if (read.kind === "skill") return { body: read.body, files: await listSkillFiles(skill) };
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  throw unknownKnowledge(skill.name);
}

/** Address of a skill, or of a file of it. */
export function knowledgeUri(name: string, path?: string): string {
  const base = `skillz://skills/${encodeURIComponent(name)}`;
  return path === undefined ? base : `${base}/files/${path.split("/").map(encodeURIComponent).join("/")}`;
}

/** What a model is given of a skill: its text, and where its other files are. */
export function skillText(skill: KnowledgeSkill, { body, files }: OpenedSkill): string {
  if (files.length === 0) return body;
  const list = files.map((path) => `- ${path}: ${knowledgeUri(skill.name, path)}`).join("\n");
  return `${body.trimEnd()}\n\nFiles of this skill, to be read as resources:\n\n${list}\n`;
}
