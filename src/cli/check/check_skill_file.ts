import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { isJsonObject, jsonTypeOf } from "../../base/json.ts";
import type { Finding } from "../../tools/check_folder.ts";
import { nameFault } from "../../tools/names.ts";

const FRONT_MATTER = /^---[ \t]*\n([\s\S]*?)\n?---[ \t]*(?:\n|$)/;
/** Longest description that clients show whole. */
const MAX_DESCRIPTION = 1024;

/** Findings about the front matter of a folder's SKILL.md; none when it has no such file. */
export async function checkSkillFile(path: string): Promise<Finding[]> {
  const text = await readFile(join(path, "SKILL.md"), "utf8").catch(() => undefined);
  if (text === undefined) return [];
  const folder = basename(path);
  const finding = (level: Finding["level"], message: string): Finding => ({
    folder,
    level,
    message,
    field: "SKILL.md",
  });
  const source = FRONT_MATTER.exec(text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n"))?.[1];
  if (source === undefined) {
    return [finding("error", "it has no front matter: name and description between two lines of ---")];
  }
  const { parseDocument } = await import("yaml");
  const document = parseDocument(source, { prettyErrors: false, logLevel: "silent" });
  if (document.errors.length > 0) {
    // Clients read `description: Use when: asked` all the same, but not every client.
    const [first] = document.errors;
    return [
      finding(
        "warning",
        `its front matter is no valid YAML (${first?.message}); quote values that hold ": "`,
      ),
    ];
  }
  const front: unknown = document.toJS({ maxAliasCount: 100 });
  if (!isJsonObject(front)) {
    return [finding("error", `its front matter is ${jsonTypeOf(front)}, must be fields`)];
  }
  return [...nameFindings(front.name, folder), ...descriptionFindings(front.description)].map(
    ([level, message]) => finding(level, message),
  );
}

type Told = [Finding["level"], string];

function nameFindings(name: unknown, folder: string): Told[] {
  if (name === undefined || name === null) return [["warning", "name is missing, the folder's is taken"]];
  const fault = nameFault(name);
  if (fault !== undefined) return [["error", `name ${fault}`]];
  return name === folder ? [] : [["warning", `name is "${name}", should be "${folder}" like its folder`]];
}

function descriptionFindings(description: unknown): Told[] {
  if (typeof description !== "string" || description.trim() === "") {
    return [["error", "description is missing, models choose skills by it"]];
  }
  return description.length > MAX_DESCRIPTION
    ? [["warning", `description has ${description.length} characters, clients show ${MAX_DESCRIPTION}`]]
    : [];
}
