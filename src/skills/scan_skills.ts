import { basename, join } from "node:path";
import { findSkills, type FoundFolder, type SkippedSkill } from "./find_skills.ts";
import { readSkill } from "./read_skill.ts";
import { isToolFolder, type SkillSource } from "./skill_sources.ts";

/** A knowledge skill as it is kept at rest: its text is read when it is asked for. */
export interface ScannedSkill {
  /** What its front matter calls it. */
  readonly declared: string;
  /** At most 1,024 characters. */
  readonly description: string;
  /** More words that it is found by. */
  readonly tags: readonly string[];
  /** Skills that must be active with it. */
  readonly requires: readonly string[];
  /** Real path of its folder. */
  readonly directory: string;
  /** Path below its place; empty for that folder itself. */
  readonly path: string;
  /** Name of its folder. */
  readonly folder: string;
  /** What tells its place apart: the repository, most often. */
  readonly label: string;
  /** Whom the repository belongs to. */
  readonly owner?: string;
  /** Whether it lies in TOOLS_DIR, so that a tool of the same folder is the same thing. */
  readonly besideTool: boolean;
  /** What is not as it should be, one line each. */
  readonly warnings: readonly string[];
  /** Changes when its SKILL.md does. */
  readonly stamp: string;
}

/** What a place holds. */
export interface ScannedSource {
  readonly skills: readonly ScannedSkill[];
  readonly skipped: readonly SkippedSkill[];
}

/** Files that are read at once. */
const AT_ONCE = 16;

/** Reads all skills of a place; those in `known` (by folder) whose SKILL.md is the same are taken from there. */
export async function scanSkills(
  source: SkillSource,
  known: ReadonlyMap<string, ScannedSkill> = new Map(),
): Promise<ScannedSource> {
  const { folders, skipped } = await findSkills(source.root, source);
  const wanted = source.tools ? folders.filter(({ path }) => isToolFolder(path)) : folders;
  const results: (ScannedSkill | SkippedSkill)[] = [];
  for (let at = 0; at < wanted.length; at += AT_ONCE) {
    const some = wanted.slice(at, at + AT_ONCE);
    results.push(...await Promise.all(some.map((folder) => scanOne(folder, { source, known }))));
  }
  return {
    skills: results.filter((one) => "declared" in one),
    skipped: [...source.tools ? [] : skipped, ...results.filter((one) => "reason" in one)],
  };
}

async function scanOne(
  { path, directory }: FoundFolder,
  { source, known }: { source: SkillSource; known: ReadonlyMap<string, ScannedSkill> },
): Promise<ScannedSkill | SkippedSkill> {
  const file = path === "" ? "SKILL.md" : `${path}/SKILL.md`;
  try {
    const { size, mtime, ino } = await Deno.stat(join(directory, "SKILL.md"));
    const { label, owner, tools = false } = source;
    const stamp = [label, owner, path, size, mtime?.getTime(), ino].join("\0");
    const before = known.get(directory);
    if (before?.stamp === stamp) return before;
    // The folder of a whole repository is named by us.
    const folder = path === "" ? label : basename(path);
    const read = await readSkill(directory, { folder });
    if (read.kind === "faulty") return { path: file, reason: read.reason };
    const { name, description, tags, requires, warnings } = read;
    const origin = { label, ...(owner === undefined ? {} : { owner }), besideTool: tools };
    return {
      declared: name,
      description,
      tags,
      requires,
      directory,
      path,
      folder,
      warnings,
      stamp,
      ...origin,
    };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { path: file, reason: `can't be read: ${why.replaceAll(/\s+/g, " ")}` };
  }
}
