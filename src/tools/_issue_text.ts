import type { z } from "zod";

/** Most faults that one message tells. */
const MOST = 5;

/** The faults that a zod schema found, each with the path of its field; values are not shown. */
export function issueTexts(issues: readonly z.core.$ZodIssue[]): string[] {
  const texts = issues.map((issue) => {
    const path = fieldPath(issue.path);
    return issue.code === "unrecognized_keys"
      ? `${issue.keys.map((key) => path ? `${path}.${key}` : key).join(", ")}: unknown field`
      : `${path || "manifest"}: ${message(issue)}`;
  });
  return texts.length > MOST ? [...texts.slice(0, MOST), `and ${texts.length - MOST} more`] : texts;
}

/** `limits.timeout_ms`, `examples[2].arguments`. */
export function fieldPath(path: readonly PropertyKey[]): string {
  return path.map((part, index) =>
    typeof part === "number" ? `[${part}]` : `${index === 0 ? "" : "."}${String(part)}`
  ).join("");
}

function message(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_type" && issue.message.endsWith("received undefined")) return "is missing";
  return issue.message.replace(/^Invalid (?:input|option): /, "");
}
