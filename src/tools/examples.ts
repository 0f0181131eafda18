import { isJsonObject, jsonTypeOf, type JsonValue } from "../base/json.ts";
import { resultText, type ToolResult } from "../base/tool_result.ts";
import type { ToolExample } from "./tool.ts";

/** More differences say no more. */
const MOST = 10;

/**
 * What a result lacks of what an example expects, in words; empty when it is as expected. Without an expectation the
 * call must only succeed. `text` and `error` must be contained, `structured` must be contained at every depth: further
 * fields are free, lists must be equally long.
 */
export function matchExample(result: ToolResult, expect: ToolExample["expect"]): string[] {
  const text = resultText(result);
  if (expect?.error !== undefined) {
    if (!result.isError) return [`it succeeded, but must fail with "${short(expect.error)}"`];
    return text.includes(expect.error) ? [] : [`the failure does not contain "${short(expect.error)}"`];
  }
  if (result.isError) return ["it failed"];
  const faults: string[] = [];
  if (expect?.text !== undefined && !text.includes(expect.text)) {
    faults.push(`the text does not contain "${short(expect.text)}"`);
  }
  if (expect?.structured !== undefined) {
    faults.push(...differences(expect.structured, result.structuredContent, "structuredContent"));
  }
  return faults.length > MOST ? [...faults.slice(0, MOST), `and ${faults.length - MOST} more`] : faults;
}

function differences(wanted: JsonValue, got: JsonValue | undefined, path: string): string[] {
  if (got === undefined) return [`${path} is missing`];
  if (Array.isArray(wanted)) {
    if (!Array.isArray(got)) return [`${path} is ${jsonTypeOf(got)}, must be array`];
    if (got.length !== wanted.length) {
      return [`${path} has ${got.length} members, must have ${wanted.length}`];
    }
    return wanted.flatMap((member, index) => differences(member, got[index], `${path}[${index}]`));
  }
  if (isJsonObject(wanted)) {
    if (!isJsonObject(got)) return [`${path} is ${jsonTypeOf(got)}, must be object`];
    return Object.entries(wanted).flatMap(([key, value]) =>
      value === undefined
        ? []
        : differences(value, Object.hasOwn(got, key) ? got[key] : undefined, `${path}.${key}`)
    );
  }
  return got === wanted
    ? []
    : [`${path} is ${short(JSON.stringify(got))}, must be ${short(JSON.stringify(wanted))}`];
}

function short(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
