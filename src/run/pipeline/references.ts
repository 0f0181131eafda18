import { SkillzError } from "../../base/errors.ts";
import { isJsonObject, type JsonValue } from "../../base/json.ts";

/** A place in the values of a run: `$ny.times[0]` is name `ny`, path `times`, 0. */
export interface Reference {
  /** A step, or `input`, `prev`, `item`, `index`. */
  readonly name: string;
  /** Fields and indexes below it; a negative index counts from the end. */
  readonly path: readonly (string | number)[];
  /** As it was written, for messages. */
  readonly text: string;
}

/** A text with references, in order. One single reference is the value itself, with its type. */
export type Template = readonly (string | Reference)[];

/** Names that are no steps. */
export const RESERVED_NAMES: ReadonlySet<string> = new Set(["input", "prev", "item", "index"]);

const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
const FIELD = /[A-Za-z0-9_]+/y;
/** With hyphens: where the end of the reference is clear. */
const WIDE_NAME = /[A-Za-z_][A-Za-z0-9_-]*/y;
const WIDE_FIELD = /[A-Za-z0-9_-]+/y;
const INDEX = /\[(?:(-?\d{1,9})|"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')\]/y;
const WHOLE = /^\$[A-Za-z_][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+|\[(?:-?\d{1,9}|"[^"\]]*"|'[^'\]]*')\])*$/;

/**
 * Takes a text apart: `$name.path` and `${name.path}` are references, `$$` is a dollar, and a `$` that no name follows
 * stays what it is. Names and fields with a hyphen need the braces, unless the reference is the whole text.
 *
 * @throws `SkillzError("invalid_input")` for a `${` that is no reference.
 */
export function parseTemplate(text: string): Template {
  if (WHOLE.test(text)) return [parseReference(text, 1, { wide: true }).reference];
  const parts: (string | Reference)[] = [];
  let literal = "";
  let at = 0;
  while (at < text.length) {
    const dollar = text.indexOf("$", at);
    if (dollar === -1) break;
    literal += text.slice(at, dollar);
    const found = referenceAt(text, dollar);
    if (found) {
      if (literal !== "") parts.push(literal);
      literal = "";
      parts.push(found.reference);
      at = found.end;
    } else {
      literal += "$";
      at = dollar + (text[dollar + 1] === "$" ? 2 : 1);
    }
  }
  literal += text.slice(at);
  if (literal !== "" || parts.length === 0) parts.push(literal);
  return parts;
}

/** The reference whose dollar is at `dollar`, and where it ends; `undefined` when there is none. */
export function referenceAt(text: string, dollar: number): { reference: Reference; end: number } | undefined {
  const next = text[dollar + 1];
  if (next === "{") {
    const found = parseReference(text, dollar + 2, { wide: true });
    if (found.reference.name === "" || text[found.end] !== "}") {
      throw new SkillzError(
        "invalid_input",
        `Cannot read reference at character ${dollar + 1}: after "\${" there must be a reference and "}"`,
        { hint: 'Write "$$" for a dollar' },
      );
    }
    return { reference: { ...found.reference, text: text.slice(dollar, found.end + 1) }, end: found.end + 1 };
  }
  if (next === undefined || !/[A-Za-z_]/.test(next)) return undefined;
  return parseReference(text, dollar + 1, { wide: false });
}

function parseReference(
  text: string,
  start: number,
  { wide }: { wide: boolean },
): { reference: Reference; end: number } {
  const name = match(wide ? WIDE_NAME : NAME, text, start)?.[0] ?? "";
  const path: (string | number)[] = [];
  let end = start + name.length;
  for (;;) {
    const index = match(INDEX, text, end);
    if (index) {
      const [whole, digits, double, single] = index;
      path.push(digits === undefined ? (double ?? single ?? "").replace(/\\(.)/g, "$1") : Number(digits));
      end += whole.length;
      continue;
    }
    const field = text[end] === "." ? match(wide ? WIDE_FIELD : FIELD, text, end + 1)?.[0] : undefined;
    if (field === undefined) break;
    path.push(/^\d{1,9}$/.test(field) ? Number(field) : field);
    end += 1 + field.length;
  }
  return { reference: { name, path, text: text.slice(start - 1, end) }, end };
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** A text in arguments, with the way to it (`args.list[0]`). */
export interface TemplateText {
  /** The way to it. */
  readonly where: string;
  /** As it was written. */
  readonly text: string;
}

/** All texts in a value of arguments, at any depth. Keys of objects are no templates. */
export function textsIn(value: JsonValue | undefined, where: string): TemplateText[] {
  if (typeof value === "string") return [{ where, text: value }];
  if (Array.isArray(value)) return value.flatMap((item, i) => textsIn(item, `${where}[${i}]`));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => textsIn(item, `${where}.${key}`));
}
