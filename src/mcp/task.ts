import { SkillzError } from "../base/errors.ts";
import { isJsonObject, type JsonObject } from "../base/json.ts";
import { resultText, type ToolResult } from "../base/tool_result.ts";
import type { ProgressUpdate } from "../run/call_context.ts";
import type { Outlet } from "./client_caller.ts";
import { toProtocolError } from "./errors.ts";
import { failureData } from "./fit_failure.ts";
import type { ClientCall } from "./parking_lot.ts";
import { asInputRequests } from "./rounds.ts";

/** How a task stands. */
export type TaskStatus = "working" | "input_required" | "completed" | "failed" | "cancelled";

/** How often clients should ask, in milliseconds. */
const POLL_MS = 500;

type Outcome =
  | { readonly status: "completed"; readonly result: ToolResult }
  | { readonly status: "failed"; readonly error: { readonly code: number; readonly message: string } }
  | { readonly status: "cancelled" };

/** Options of {@linkcode Task}. */
export interface TaskOptions {
  /** How long it may be asked for after it was made, in milliseconds. */
  readonly ttlMs: number;
  /** The result as this era's clients want it. */
  readonly project: (result: ToolResult) => object;
}

/** A call that goes on after its request was answered. Clients ask how it stands, answer its questions, or end it. */
export class Task {
  /** What the client asks for it by; not to be guessed. */
  readonly id: string = crypto.randomUUID();
  readonly #call: ClientCall["call"];
  readonly #options: TaskOptions;
  readonly #createdAt = new Date().toISOString();
  #lastUpdatedAt = this.#createdAt;
  #message: string | undefined;
  #outcome: Outcome | undefined;

  /** Takes over a call; its value is a tool's result. */
  constructor({ call, caller }: ClientCall, options: TaskOptions) {
    this.#call = call;
    this.#options = options;
    caller.bind(this.#outlet(), undefined);
    call.outcome.then(
      (value) => this.#end(outcomeOf(value as ToolResult)),
      (error: unknown) => {
        const { code, message } = toProtocolError(error);
        this.#end({ status: "failed", error: { code, message } });
      },
    );
  }

  /** How it stands. */
  get status(): TaskStatus {
    if (this.#outcome) return this.#outcome.status;
    return this.#call.questions.size > 0 ? "input_required" : "working";
  }

  /** What every answer about it holds. */
  get summary(): JsonObject {
    return {
      taskId: this.id,
      status: this.status,
      ...(this.#message === undefined ? {} : { statusMessage: this.#message }),
      createdAt: this.#createdAt,
      lastUpdatedAt: this.#lastUpdatedAt,
      ttlMs: this.#options.ttlMs,
      pollIntervalMs: POLL_MS,
    };
  }

  /** The summary with the result, the error, or the questions that wait for an answer. */
  get details(): object {
    const { summary } = this;
    switch (summary.status) {
      case "input_required":
        return { ...summary, inputRequests: asInputRequests(this.#call.questions) };
      case "completed":
        return { ...summary, result: this.#result() };
      case "failed":
        return { ...summary, error: this.#outcome?.status === "failed" ? this.#outcome.error : undefined };
      default:
        return summary;
    }
  }

  /** Gives answers to questions, by key; it goes on once all are answered. */
  answer(responses: Readonly<Record<string, unknown>>): void {
    this.#call.answer(responses);
    this.#touch();
  }

  /** Ends it; does nothing when it has ended. */
  cancel(): void {
    if (this.#outcome) return;
    this.#end({ status: "cancelled" });
    this.#call.abort(new SkillzError("cancelled", "Cannot finish: the client cancelled the task"));
  }

  #end(outcome: Outcome): void {
    // A cancelled call fails some time later; that is no news.
    if (this.#outcome) return;
    this.#outcome = outcome;
    this.#touch();
  }

  #result(): object {
    const result = this.#outcome?.status === "completed" ? this.#outcome.result : { content: [] };
    return { resultType: "complete", ...this.#options.project(result) };
  }

  #touch(): void {
    this.#lastUpdatedAt = new Date().toISOString();
  }

  #outlet(): Outlet {
    return {
      progress: (update) => {
        this.#message = describe(update);
        this.#touch();
      },
      log: () => {},
      close: () => {},
    };
  }
}

/**
 * A tool that answered a JSON-RPC error has failed by the protocol's own rules; every other failure is a result that
 * says so.
 */
function outcomeOf(result: ToolResult): Outcome {
  const error = result.isError === true ? failureData(result)?.error : undefined;
  if (!isJsonObject(error) || typeof error.code !== "number") return { status: "completed", result };
  const message = typeof error.message === "string" ? error.message : resultText(result);
  return { status: "failed", error: { code: error.code, message } };
}

function describe({ progress, total, message }: ProgressUpdate): string {
  const count = total === undefined ? String(progress) : `${progress} of ${total}`;
  return message === undefined ? count : `${count}: ${message}`;
}
