import { isJsonObject, type JsonValue } from "../../base/json.ts";
import { errorResult, type ToolResult } from "../../base/tool_result.ts";
import { failureAnswer, requestAnswer } from "../script/answer.ts";
import { parseMessage } from "../script/message.ts";
import type { ToolRequest } from "../runner.ts";
import type { EngineEnd } from "./engine_process.ts";

/** What the result of a call is made from, besides how it ended. */
export interface WasmFacts {
  /** Name for messages. */
  readonly tool: string;
  /** What was asked of the tool. */
  readonly request: ToolRequest;
  /** Bounds from the manifest. */
  readonly limits: { readonly memory_mb: number; readonly output_bytes: number };
  /** The end of what was written to standard error. */
  readonly stderr: string;
  /** What was refused and how that would be granted. */
  readonly refused: string | undefined;
}

/** The id that an answer in JSON-RPC must have, as with scripts. */
const ANSWER_ID = 1;

/** Turns how a module ended into the tool's result. */
export function wasmResult(end: EngineEnd, facts: WasmFacts): ToolResult {
  if (end.kind === "died") {
    const state = /out of memory|heap limit/i.test(end.stderr)
      ? "it used up the memory of its engine, it must keep less at once"
      : "its engine ended in the middle of the call";
    return failed(facts, { state });
  }
  const { outcome } = end.end;
  const text = new TextDecoder().decode(end.stdout);
  switch (outcome.kind) {
    case "exit": {
      const answer = rpcAnswer(text, facts.request);
      if (outcome.code === 0) return answer ?? requestAnswer(plainOutput(text), facts.request);
      // An answer that says itself what went wrong tells more than an exit code.
      if (answer?.isError) return answer;
      return failed(facts, { state: `it ended with exit code ${outcome.code}`, code: outcome.code, text });
    }
    case "trap":
      return failed(facts, { state: trapState(outcome.message, facts), text });
    case "output":
      return failed(facts, {
        state: `it wrote more than its limit to stdout, limits.output_bytes is ${facts.limits.output_bytes}`,
      });
    case "invalid":
      return failed(facts, { state: `its module can't be run, ${outcome.message}` });
  }
}

function trapState(message: string, { stderr, limits }: WasmFacts): string {
  if (/memory allocation of \d+ bytes failed|out of memory/i.test(stderr)) {
    return `it needs more memory than its limit, limits.memory_mb is ${limits.memory_mb}`;
  }
  if (/panicked at/.test(stderr)) return "it panicked";
  return `it was stopped by a trap, ${message}`;
}

function rpcAnswer(text: string, request: ToolRequest): ToolResult | undefined {
  if (!text.includes('"jsonrpc"')) return undefined;
  for (const line of text.split("\n")) {
    const message = parseMessage(line);
    if (message.kind === "answer" && message.id === ANSWER_ID) return requestAnswer(message.result, request);
    if (message.kind === "failure" && (message.id === ANSWER_ID || message.id === null)) {
      return failureAnswer(message.error);
    }
  }
  return undefined;
}

/** A JSON object is data; everything else is the text as it was printed, without the newline at its end. */
function plainOutput(text: string): JsonValue {
  const trimmed = text.replace(/\r?\n$/, "");
  if (/^\s*\{/.test(trimmed)) {
    try {
      const value: unknown = JSON.parse(trimmed);
      if (isJsonObject(value)) return value;
    } catch {
      // not JSON: a text
    }
  }
  return trimmed;
}

/** Most characters of output that a failure shows. */
const SHOWN = 2000;

function failed(
  facts: WasmFacts,
  { state, code, text = "" }: { state: string; code?: number; text?: string },
): ToolResult {
  const stderr = facts.stderr.trimEnd();
  const printed = text.trim();
  const shown = printed.length > SHOWN ? `${printed.slice(0, SHOWN)}…` : printed;
  const message = [
    `Tool "${facts.tool}" failed: ${state}`,
    ...(shown === "" ? [] : [`stdout: ${shown}`]),
    ...(stderr === "" ? [] : [`stderr:\n${stderr}`]),
    ...(facts.refused === undefined ? [] : [facts.refused]),
  ].join("\n");
  return errorResult(message, {
    error: {
      message: state,
      ...(code === undefined ? {} : { exit_code: code }),
      ...(stderr === "" ? {} : { stderr }),
    },
  });
}
