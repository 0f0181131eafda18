import { basename, join } from "node:path";
import { isJsonObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { parseFrontMatter } from "./parse_front_matter.ts";
import { isSkillName } from "./skill_names.ts";

/** A SKILL.md as it was read. */
export type ReadSkill =
  | {
    readonly kind: "skill";
    /** What its front matter calls it, or its folder's name. */
    readonly name: string;
    readonly description: string;
    readonly tags: readonly string[];
    /** Skills that must be active with it. */
    readonly requires: readonly string[];
    /** The whole front matter; every scalar is a text. */
    readonly fields: JsonObject;
    /** The Markdown after the front matter. */
    readonly body: string;
    /** What is not as it should be, one line each. */
    readonly warnings: readonly string[];
  }
  | {
    readonly kind: "faulty";
    /** Why it is no skill. */
    readonly reason: string;
  };

/** Options of {@linkcode readSkill}. */
export interface ReadSkillOptions {
  /**
   * The name that it should have.
   * @default the folder's name
   */
  folder?: string;
}

/** Larger ones are not read. */
const MAX_BYTES = 1024 * 1024;
/** Longest description, which every list holds; the rest is cut off. */
const MAX_DESCRIPTION = 1024;

/** Reads the SKILL.md of a folder. What breaks a rule is loaded with a warning; what has no description is no skill. */
export async function readSkill(directory: string, options: ReadSkillOptions = {}): Promise<ReadSkill> {
  const path = join(directory, "SKILL.md");
  const { size, isFile } = await Deno.stat(path);
  if (!isFile) return { kind: "faulty", reason: "is no file" };
  if (size > MAX_BYTES) return { kind: "faulty", reason: `has ${size} bytes, at most 1 MiB are read` };
  return await readSkillText(await Deno.readTextFile(path), options.folder ?? basename(directory));
}

/** The same for the text of a SKILL.md in the folder `folder`. */
export async function readSkillText(text: string, folder: string): Promise<ReadSkill> {
  const parsed = await parseFrontMatter(text);
  if (parsed.kind === "faulty") return parsed;
  const { fields, body } = parsed;
  const whole = textOf(fields.description);
  if (whole === "") return { kind: "faulty", reason: "has no description" };
  const warnings = [...parsed.warnings];
  if (whole.length > MAX_DESCRIPTION) {
    warnings.push(`its description has ${whole.length} characters, at most ${MAX_DESCRIPTION} are shown`);
  }
  const metadata = isJsonObject(fields.metadata) ? fields.metadata : {};
  return {
    kind: "skill",
    name: nameOf(textOf(fields.name), folder, warnings),
    description: whole.length > MAX_DESCRIPTION ? `${whole.slice(0, MAX_DESCRIPTION - 1)}…` : whole,
    tags: [...new Set([...wordsOf(fields.tags), ...wordsOf(metadata.tags)])],
    requires: wordsOf(fields.requires_skills),
    fields,
    body,
    warnings,
  };
}

function nameOf(name: string, folder: string, warnings: string[]): string {
  if (name === "") {
    warnings.push("it has no name, the folder's is taken");
    return folder;
  }
  if (!isSkillName(name)) {
    warnings.push("its name can't be used, the folder's is taken");
    return folder;
  }
  if (!/^[a-z0-9-]{1,64}$/.test(name)) warnings.push(`its name "${name}" holds others than a-z, 0-9 and -`);
  else if (name !== folder) warnings.push(`its name "${name}" is not its folder's, "${folder}"`);
  return name;
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value.trim() : "";
}

/** A list of texts, or one text with commas. */
function wordsOf(value: JsonValue | undefined): string[] {
  const list = typeof value === "string" ? value.replace(/^\[|\]$/g, "").split(",") : value;
  if (!Array.isArray(list)) return [];
  return list.filter((word) => typeof word === "string").map((word) => word.trim()).filter(Boolean);
}
