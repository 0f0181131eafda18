import type { ExitStatus } from "../../process/process.ts";
import { errorText } from "../../base/errors.ts";
import { isJsonObject, type JsonValue } from "../../base/json.ts";
import { errorResult, resultText, textBlock, type ToolResult } from "../../base/tool_result.ts";
import type { ToolRequest } from "../runner.ts";
import { redactStrings } from "./redact_strings.ts";
import { failureAnswer, requestAnswer } from "./answer.ts";
import type { ScriptOutcome } from "./script_process.ts";

/** What the result of a call is made from, besides its outcome. */
export interface OutcomeFacts {
  /** Name for messages. */
  readonly tool: string;
  /** The id under which the answer was wanted. */
  readonly id: number;
  /** What was asked of the script. */
  readonly request: ToolRequest;
  /** The end of what it wrote to stderr. */
  stderrTail(): string;
  /** Takes secrets out of a text. */
  redact(text: string): string;
  /** The cause that the sandbox knows, if any. */
  explain(exit: { code: number; signal: string | null; stderr: string }): Promise<string | undefined>;
}

/** Most characters of a bad line that are shown. */
const SHOWN = 500;

/** Turns how a call ended into the tool's result: an answer, or a failure that says why there is none. */
export async function outcomeResult(outcome: ScriptOutcome, facts: OutcomeFacts): Promise<ToolResult> {
  switch (outcome.kind) {
    case "answer":
      return await explained(requestAnswer(outcome.result, facts.request), facts);
    case "failure":
      return await explained(failureAnswer(outcome.error), facts);
    case "broken":
      return failed(facts, `its answer can't be read, ${outcome.reason}`, {
        more: `line: ${shorten(outcome.line)}`,
      });
    case "overflow":
      return failed(facts, errorText(outcome.error));
    case "lost":
      return failed(facts, outcome.reason);
    case "ended":
      return await endedResult(outcome, facts);
  }
}

/** A failure that the script tells itself, with the cause that the sandbox knows: a denied access above all. */
async function explained(answer: ToolResult, facts: OutcomeFacts): Promise<ToolResult> {
  if (answer.isError !== true) return answer;
  const result = redactStrings(answer as unknown as JsonValue, facts.redact) as unknown as ToolResult;
  // The script's own words come last: they tell what it failed of.
  const stderr = `${facts.stderrTail()}\n${resultText(result)}`;
  const cause = await facts.explain({ code: 1, signal: null, stderr });
  return cause === undefined ? result : { ...result, content: [...result.content, textBlock(cause)] };
}

type Ended = Extract<ScriptOutcome, { kind: "ended" }>;

async function endedResult(outcome: Ended, facts: OutcomeFacts): Promise<ToolResult> {
  const { exit, output, spoke } = outcome;
  // A script that knows nothing of the protocol: what it printed is its result.
  if (exit?.code === 0 && !spoke && output.trim() !== "") {
    return requestAnswer(plainOutput(output), facts.request);
  }
  const stderr = facts.stderrTail().trimEnd();
  const cause = exit === undefined || exit.code === 0 ? undefined : await facts.explain({ ...exit, stderr });
  const printed = output.trim() === "" || spoke ? undefined : `stdout: ${shorten(output.trim())}`;
  return failed(facts, cause ?? noAnswer(outcome, facts.id), {
    ...(printed === undefined ? {} : { more: printed }),
    exit,
  });
}

/** A JSON object alone is data; everything else is the text as it was printed. */
function plainOutput(output: string): JsonValue {
  try {
    const value: unknown = JSON.parse(output);
    if (isJsonObject(value)) return value;
  } catch {
    // not JSON: a text
  }
  return output;
}

function noAnswer({ exit, foreignIds, spoke }: Ended, id: number): string {
  const end = endPhrase(exit);
  if (foreignIds.length > 0) return `${end}; it answered id ${foreignIds.join(", ")}, wanted is id ${id}`;
  if (exit !== undefined && exit.code !== 0) return end;
  return spoke
    ? `${end} without an answer, wanted is one JSON-RPC line with result or error and id ${id}`
    : `${end} and printed nothing, wanted is a JSON-RPC answer or a text on stdout; ` +
      "with the helper library a function must be marked with @tool, or given to tool()";
}

function endPhrase(exit: ExitStatus | undefined): string {
  if (exit === undefined) return "the script closed its stdout";
  if (exit.signal !== null) return `the script was ended by ${exit.signal}`;
  // Inside a sandbox or a shell a signal arrives as its number.
  const signal = exit.code > 128 && exit.code < 160 ? ` (signal ${exit.code - 128})` : "";
  return `the script ended with exit code ${exit.code}${signal}`;
}

function failed(
  facts: OutcomeFacts,
  state: string,
  options: { more?: string; exit?: ExitStatus | undefined } = {},
): ToolResult {
  const stderr = facts.redact(facts.stderrTail().trimEnd());
  const text = [
    `Tool "${facts.tool}" failed: ${facts.redact(state)}`,
    ...(options.more === undefined ? [] : [facts.redact(options.more)]),
    ...(stderr === "" ? [] : [`stderr:\n${stderr}`]),
  ].join("\n");
  const { exit } = options;
  return errorResult(text, {
    error: {
      message: facts.redact(state),
      ...(exit ? { exit_code: exit.code, signal: exit.signal } : {}),
      ...(stderr === "" ? {} : { stderr }),
    },
  });
}

function shorten(text: string): string {
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}… (${text.length} characters)`;
}
