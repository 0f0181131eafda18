import type { JsonValue } from "../../base/json.ts";
import { textBlock, type ToolResult } from "../../base/tool_result.ts";
import { recordJson, type StepRecord } from "./_step_record.ts";

/** How much of a step's output stands in the text; the data has all of it. */
const SHOWN_CHARACTERS = 600;

/** What a run came to. */
export interface PipelineReport {
  /** Which pipeline ran. */
  readonly name: string;
  /** All its steps, also those that did not run. */
  readonly records: readonly StepRecord[];
  /** Of the whole run. */
  readonly durationMs: number;
  /** The result; null when it failed. */
  readonly output: JsonValue;
  /** Whether `output` is the last step's value, which then need not be told twice. */
  readonly isLastValue: boolean;
  /** Why it failed, with the step. */
  readonly error?: string;
  /** The last tool's answer: its images and the like are passed on. */
  readonly lastResult?: ToolResult | undefined;
}

/** The answer of a pipeline: a text for the reader, and the same as data. */
export function pipelineResult(report: PipelineReport): ToolResult {
  const { records, output, error, lastResult } = report;
  const success = error === undefined;
  const blocks = success && report.isLastValue
    ? lastResult?.content.filter(({ type }) => type !== "text")
    : [];
  return {
    content: [textBlock(reportText(report)), ...blocks ?? []],
    structuredContent: {
      success,
      output,
      ...(success ? {} : { error }),
      steps: records.map(recordJson),
    },
    ...(success ? {} : { isError: true }),
  };
}

function reportText({ name, records, durationMs, output, isLastValue, error }: PipelineReport): string {
  const last = records.findLast((record) => record.status === "ok");
  const lines = records.flatMap((record, i) =>
    recordLines(record, `${i + 1}.`, { withOutput: error !== undefined || !isLastValue || record !== last })
  );
  if (error !== undefined) return [`Pipeline "${name}" failed at ${error}`, ...lines].join("\n");
  const count = `${records.length} ${records.length === 1 ? "step" : "steps"}`;
  return [`Pipeline "${name}": ${count} in ${time(durationMs)}`, ...lines, "Output:", asText(output)].join(
    "\n",
  );
}

function recordLines(record: StepRecord, number: string, { withOutput }: { withOutput: boolean }): string[] {
  const { name, tool, status, durationMs, value, error, attempts, items, steps } = record;
  const ran = status !== "not_run" && status !== "skipped";
  const facts = [
    status.replace("_", " ") + (ran ? ` in ${time(durationMs)}` : ""),
    ...(items === undefined ? [] : [`${items} items`]),
    ...(attempts === undefined || attempts < 2 ? [] : [`${attempts} attempts`]),
  ];
  const told = error ?? (withOutput && !steps && value.value !== undefined ? asText(value.value) : undefined);
  return [
    `${number} ${name}${tool === undefined ? "" : ` (${tool})`}: ${facts.join(", ")}`,
    ...(told === undefined ? [] : [indent(shorten(told))]),
    ...(steps ?? []).flatMap((inner) => recordLines(inner, "  -", { withOutput })),
  ];
}

function asText(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function shorten(text: string): string {
  if (text.length <= SHOWN_CHARACTERS) return text;
  return `${text.slice(0, SHOWN_CHARACTERS).toWellFormed()}… (${
    text.length - SHOWN_CHARACTERS
  } more characters)`;
}

function indent(text: string): string {
  return text.split("\n").map((line) => `   ${line}`).join("\n");
}

function time(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
