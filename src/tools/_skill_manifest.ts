import { SkillzError } from "../base/errors.ts";
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

/** A field that only tells something, in one line and without quotes: others read what is no YAML there. */
const TELLING = /^(description|author|license)[ \t]*:[ \t]+(?!["'|>])(.+)$/gm;

/**
 * The manifest of a script tool that only has a SKILL.md, as the older edition wrote them; undefined when the file is
 * knowledge without a script.
 *
 * @throws `SkillzError("invalid_input")` when it is a script's and can't be read: half of it could lack `permissions`.
 */
export async function skillManifest(text: string, folder: string): Promise<JsonObject | undefined> {
  const source = FRONT_MATTER.exec(text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n"))?.[1];
  // Most are knowledge: looking is cheaper than loading the parser.
  if (source === undefined || !/^(?:entry_file|interpreter|tool_type)[ \t]*:/m.test(source)) return undefined;
  const front = await parseFrontMatter(source);
  if (!isJsonObject(front)) return undefined;
  const { entry_file, interpreter, tool_type } = front;
  const script = typeof entry_file === "string" || typeof interpreter === "string" || tool_type === "script";
  if (!script || tool_type === "knowledge") return undefined;
  const fields = Object.fromEntries(
    FIELDS.filter((key) => Object.hasOwn(front, key)).map((key) => [key, front[key]]),
  );
  return { name: folder, ...fields, tool_type: "script" };
}

async function parseFrontMatter(source: string): Promise<unknown> {
  const { parse } = await import("yaml");
  // `silent` would hand out what it could make of broken YAML.
  const options = { prettyErrors: false, logLevel: "error", maxAliasCount: 100 } as const;
  try {
    return parse(source, options);
  } catch (cause) {
    try {
      return parse(source.replace(TELLING, (_, key, value) => `${key}: ${JSON.stringify(value)}`), options);
    } catch {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new SkillzError(
        "invalid_input",
        `Cannot load the folder: its SKILL.md is no valid YAML: ${why}`,
        {
          hint: 'Quote values that hold ": ", and indent with blanks',
          cause,
        },
      );
    }
  }
}
