import { SkillzError } from "../../base/errors.ts";
import { type Reference, referenceAt } from "./references.ts";

/** A word of a condition. `at` is its position from 0. */
export type Token =
  | { readonly kind: "operator"; readonly text: string; readonly at: number }
  | {
    readonly kind: "literal";
    readonly value: string | number | boolean | null;
    readonly text: string;
    readonly at: number;
  }
  | { readonly kind: "reference"; readonly reference: Reference; readonly text: string; readonly at: number }
  | { readonly kind: "end"; readonly at: number };

const BLANK = /\s+/y;
const OPERATOR = /[=!]==?|<=|>=|&&|\|\||[<>!()]/y;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])/y;
const TEXT = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/sy;
const WORD = /[A-Za-z_]\w*/y;
const WORDS: ReadonlyMap<string, boolean | null> = new Map([["true", true], ["false", false], [
  "null",
  null,
]]);
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };

/** Takes a condition apart. Throws `invalid_input` with the position of what is no word of it. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0];
  };
  while (at < text.length) {
    const blank = take(BLANK);
    if (blank !== undefined) {
      at += blank.length;
      continue;
    }
    const token = tokenAt(text, at, take);
    if (token === undefined) throw unreadable(text, at);
    tokens.push(token);
    at += token.text.length;
  }
  tokens.push({ kind: "end", at });
  return tokens;
}

function tokenAt(
  text: string,
  at: number,
  take: (pattern: RegExp) => string | undefined,
): Exclude<Token, { kind: "end" }> | undefined {
  const found = text[at] === "$" ? referenceAt(text, at) : undefined;
  if (found) return { kind: "reference", reference: found.reference, text: text.slice(at, found.end), at };
  const quoted = take(TEXT);
  if (quoted !== undefined) {
    const value = quoted.slice(1, -1).replace(/\\(.)/gs, (_, char: string) => ESCAPES[char] ?? char);
    return { kind: "literal", value, text: quoted, at };
  }
  const number = take(NUMBER);
  if (number !== undefined) return { kind: "literal", value: Number(number), text: number, at };
  const word = take(WORD);
  if (word !== undefined) {
    const value = WORDS.get(word);
    return value === undefined ? undefined : { kind: "literal", value, text: word, at };
  }
  const operator = take(OPERATOR);
  if (operator === undefined) return undefined;
  return { kind: "operator", text: operator, at };
}

function unreadable(text: string, at: number): SkillzError {
  const rest = text.slice(at, at + 20);
  const hint = /^["']/.test(rest)
    ? "The closing quote is missing"
    : /^[A-Za-z_]/.test(rest)
    ? "Texts stand in quotes, values of steps begin with $"
    : "Known are == != < <= > >= && || ! ( ) numbers, texts in quotes, true, false, null, and references";
  return new SkillzError(
    "invalid_input",
    `Cannot read condition: ${JSON.stringify(rest)} at character ${at + 1} is no part of a condition`,
    { hint },
  );
}
