import { isJsonObject, type JsonObject } from "../base/json.ts";

/** Front matter: between two lines of three dashes at the very beginning. */
const FRONT_MATTER = /^---[ \t]*\n([\s\S]*?)\n---[ \t]*(?:\n|$)/;

/** Fields of a SKILL.md that mean the same in a manifest.json. */
const FIELDS = [
  "annotations",
  "author",
  "core",
  "dependencies",
  "description",
  "entry_file",
  "env",
  "input_schema",
  "interpreter",
  "license",
  "limits",
  "name",
  "output_schema",
  "permissions",
  "requires_services",
  "requires_skills",
  "tags",
  "version",
];

/**
 * The manifest of a script tool that only has a SKILL.md, as the older edition wrote them; undefined when the file is
 * knowledge without a script, or can't be read as YAML (then it is for the skills to say so).
 */
export async function skillManifest(text: string, folder: string): Promise<JsonObject | undefined> {
  const source = FRONT_MATTER.exec(text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n"))?.[1];
  // Most are knowledge: looking is cheaper than loading the parser.
  if (source === undefined || !/^(?:entry_file|interpreter|tool_type)[ \t]*:/m.test(source)) return undefined;
  const { parse } = await import("yaml");
  let front: unknown;
  try {
    front = parse(source, { prettyErrors: false, logLevel: "silent", maxAliasCount: 100 });
  } catch {
    return undefined;
  }
  if (!isJsonObject(front)) return undefined;
  const { entry_file, interpreter, tool_type } = front;
  const script = typeof entry_file === "string" || typeof interpreter === "string" || tool_type === "script";
  if (!script || tool_type === "knowledge") return undefined;
  const fields = Object.fromEntries(
    FIELDS.filter((key) => Object.hasOwn(front, key)).map((key) => [key, front[key]]),
  );
  return { name: folder, ...fields, tool_type: "script" };
}
