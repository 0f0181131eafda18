import type { z } from "zod";
import { nearest } from "../base/nearest.ts";

/** Options of {@linkcode issueTexts}. */
export interface IssueTextOptions {
  /** What was checked. */
  value: unknown;
  /** What it is called where a fault has no path. */
  root: string;
  /**
   * Fields at the top, to be proposed for unknown ones.
   * @default none
   */
  known?: readonly string[];
}

/** Most faults that one message tells. */
const MOST = 8;

/** The faults that a zod schema found, each with the path of its field; values are not shown. */
export function issueTexts(issues: readonly z.core.$ZodIssue[], options: IssueTextOptions): string[] {
  // Of several bounds that a number breaks, the last is the narrowest.
  const texts = new Map<string, string>();
  for (const issue of issues) {
    const path = fieldPath(issue.path);
    if (issue.code === "unrecognized_keys") {
      for (const key of issue.keys) {
        const field = path ? `${path}.${key}` : key;
        texts.set(field, `${field}: unknown field${path ? "" : proposal(key, options.known ?? [])}`);
      }
      continue;
    }
    const wanted = words(issue.message);
    const isThere = valueAt(options.value, issue.path) !== undefined;
    texts.set(path, `${path || options.root}: ${isThere ? wanted : missing(issue, wanted)}`);
  }
  const list = [...texts.values()];
  return list.length > MOST ? [...list.slice(0, MOST), `and ${list.length - MOST} more`] : list;
}

/** `limits.timeout_ms`, `examples[2].arguments`. */
export function fieldPath(path: readonly PropertyKey[]): string {
  return path.map((part, index) =>
    typeof part === "number" ? `[${part}]` : `${index === 0 ? "" : "."}${String(part)}`
  ).join("");
}

function proposal(key: string, known: readonly string[]): string {
  const [near] = nearest(key, known);
  return near === undefined ? "" : `, ${near} may be meant`;
}

/** Only a choice tells something that the name of the field does not. */
function missing({ code }: z.core.$ZodIssue, wanted: string): string {
  return code === "invalid_value" ? `is missing, ${wanted}` : "is missing";
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let value = root;
  for (const part of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[part];
  }
  return value;
}

function words(text: string): string {
  const plain = text
    .replace(/^Invalid (?:input|option): /, "")
    .replace(/^Too (?:small|big): expected \w+ to (be|have) /, "must $1 ")
    .replace(/^expected int, received number$/, "must be a whole number")
    .replace("expected record", "expected object");
  return plain.charAt(0).toLowerCase() + plain.slice(1);
}
