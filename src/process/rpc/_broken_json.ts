import { isJsonObject } from "../../base/json.ts";
import type { Frame, RpcId } from "./frames.ts";

/** Strings, and outside of them the words that Python and JavaScript write for numbers that JSON does not have. */
const STRING_OR_WORD = /"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g;

/**
 * What is wrong with a line that begins like an answer and is no JSON; undefined when it was not meant as one. Only a
 * line whose first telling key is `result` or `error` counts: an echo of our own request has `method` before.
 */
export function brokenAnswer(line: string, error: unknown): Frame | undefined {
  const key = /["'](result|error|method)["']\s*:/.exec(line)?.[1];
  if (key === undefined || key === "method" || !/["'](jsonrpc|id)["']\s*:/.test(line)) return undefined;
  const words = new Set<string>();
  const repaired = line.replace(STRING_OR_WORD, (token) => {
    if (token.startsWith('"')) return token;
    words.add(token);
    return "null";
  });
  const onlyWords = words.size > 0 && parses(repaired);
  const id = onlyWords ? topLevelId(repaired) : idByPattern(line);
  const reason = onlyWords
    ? `it holds ${[...words].join(", ")}, which JSON does not have; write null or a text instead`
    : reasonOf(line, error);
  return { kind: "broken", text: line, reason, ...(id === undefined ? {} : { id }) };
}

function reasonOf(line: string, error: unknown): string {
  if (/^\s*\{\s*'/.test(line)) {
    return "it has single quotes, like a printed Python dict; write it with json.dumps";
  }
  return error instanceof Error ? error.message : String(error);
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function topLevelId(text: string): RpcId | undefined {
  const value: unknown = JSON.parse(text);
  const id = isJsonObject(value) ? value.id : undefined;
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}

/** The id of a line that can't be parsed: the first thing that looks like one. */
function idByPattern(line: string): RpcId | undefined {
  const match = /["']id["']\s*:\s*(?:(-?[0-9]{1,15})\b|"([^"\\]*)"|'([^'\\]*)')/.exec(line);
  if (!match) return undefined;
  return match[1] === undefined ? match[2] ?? match[3] : Number(match[1]);
}
