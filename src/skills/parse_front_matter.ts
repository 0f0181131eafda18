import { isJsonObject, type JsonObject, type JsonValue } from "../base/json.ts";

/** What the head of a SKILL.md says, and what comes after it. */
export type ParsedSkillText =
  | {
    readonly kind: "read";
    /** Fields of the front matter; every scalar is a text. */
    readonly fields: JsonObject;
    /** The Markdown after the front matter, without empty lines before it. */
    readonly body: string;
    /** What had to be mended, one line each. */
    readonly warnings: readonly string[];
  }
  | {
    readonly kind: "faulty";
    /** Why nothing can be made of it. */
    readonly reason: string;
  };

/** Between two whole lines of three dashes at the very beginning. */
const FRONT_MATTER = /^\s*^---[ \t]*\n((?:.*\n)*?)---[ \t]*(?:\n|$)/m;
/** The first line of a field. */
const FIELD = /^([A-Za-z_][\w.-]*)[ \t]*:(?:[ \t]+(.*)|[ \t]*)$/;

/**
 * Splits a SKILL.md and reads its front matter as YAML in which every scalar is a text (`yes` and `2024` stay as they
 * are). What is no YAML is read field by field, with values quoted where that helps: authors write
 * `description: Use when: …` and other readers load it.
 */
export async function parseFrontMatter(text: string): Promise<ParsedSkillText> {
  const plain = text.replace(/^\uFEFF/, "").replaceAll(/\r\n?/g, "\n");
  if (plain.trim() === "") return { kind: "faulty", reason: "is empty" };
  const match = FRONT_MATTER.exec(plain);
  if (match?.index !== 0) {
    return { kind: "faulty", reason: "has no front matter between two lines of ---" };
  }
  const [whole, source = ""] = match;
  const parse = await yamlParser();
  const body = plain.slice(whole.length).replace(/^\n+/, "");
  const fields = parse(source);
  if (isJsonObject(fields)) return { kind: "read", fields, body, warnings: [] };
  const { fields: mended, lost } = parseFieldByField(source, parse);
  if (Object.keys(mended).length === 0) {
    return { kind: "faulty", reason: "has front matter that can't be read as YAML" };
  }
  const warnings = [
    "its front matter is no valid YAML, values were quoted",
    ...lost.map((line) => `its front matter has a part that can't be read: ${JSON.stringify(line)}`),
  ];
  return { kind: "read", fields: mended, body, warnings };
}

type Parse = (source: string) => JsonValue | undefined;

/** The heavy package is loaded when there is something to parse. */
async function yamlParser(): Promise<Parse> {
  const { parse } = await import("yaml");
  return (source) => {
    try {
      // `failsafe` has texts, lists and maps only. A later field of the same name wins, as in most readers.
      return parse(source, {
        schema: "failsafe",
        uniqueKeys: false,
        prettyErrors: false,
        // `silent` would hand out what it could make of broken YAML.
        logLevel: "error",
        maxAliasCount: 100,
      });
    } catch {
      return undefined;
    }
  };
}

function parseFieldByField(source: string, parse: Parse): { fields: JsonObject; lost: string[] } {
  const fields: JsonObject = {};
  const lost: string[] = [];
  for (const chunk of chunksOf(source)) {
    const found = [chunk, quoted(chunk), chunk.split("\n").map(quoted).join("\n")]
      .map(parse)
      .find(isJsonObject);
    if (found) Object.assign(fields, found);
    else lost.push(chunk.slice(0, 80));
  }
  return { fields, lost };
}

/** The lines of each field; what stands before the first one is a chunk too. */
function chunksOf(source: string): string[] {
  const chunks: string[][] = [[]];
  for (const line of source.split("\n")) {
    if (FIELD.test(line)) chunks.push([line]);
    else chunks.at(-1)?.push(line);
  }
  return chunks.map((lines) => lines.join("\n").trimEnd()).filter((chunk) => chunk.trim() !== "");
}

/** The same field with its value, also one of several lines, in quotes. A field without a value stays. */
function quoted(field: string): string {
  const [first = "", ...more] = field.split("\n");
  const [, indent = "", key = "", value = ""] = /^([ \t]*(?:- )?)([^\s:#"'][^:]*):[ \t]+(.+)$/.exec(first) ??
    [];
  if (key === "" || /^[|>]/.test(value)) return field;
  const text = [value, ...more].map((line) => line.trim()).filter(Boolean).join(" ");
  return `${indent}${key}: ${JSON.stringify(unquoted(text))}`;
}

/** Without the quotes around the whole that those inside made invalid; `"a" or "b"` has none around the whole. */
function unquoted(text: string): string {
  const [, quote = "", inner = text] = /^(["'])(.*)\1$/.exec(text) ?? [];
  const closesEarly = quote !== "" &&
    /^\S*?["'](?=\s)/.test(inner.slice(Math.max(0, inner.indexOf(quote) - 1)));
  return closesEarly ? text : inner;
}
