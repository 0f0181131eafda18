import { ProtocolError, SdkError, SdkErrorCode, type ServerContext } from "@modelcontextprotocol/server";
import { z } from "zod";
import { SkillzError } from "../base/errors.ts";
import { isJsonObject, type JsonObject } from "../base/json.ts";
import type { Question } from "../run/call_context.ts";
import { ANSWER_MS, type Asker } from "./asker.ts";

/** Options of {@linkcode DirectAsker}. */
export interface DirectAskerOptions {
  /**
   * How long an answer may take, in milliseconds.
   * @default 600_000
   */
  readonly timeoutMs?: number;
}

/**
 * Asks by real requests, as the older era does. Each question fails for itself, so that a script whose user
 * declined, or whose client broke down, hears so and can go on.
 */
export class DirectAsker implements Asker {
  readonly #ctx: ServerContext;
  readonly #timeoutMs: number;

  /** Questions belong to the request of `ctx`. */
  constructor(ctx: ServerContext, options: DirectAskerOptions = {}) {
    this.#ctx = ctx;
    this.#timeoutMs = options.timeoutMs ?? ANSWER_MS;
  }

  /** Sends the question. */
  async ask(question: Question, signal: AbortSignal): Promise<JsonObject> {
    signal.throwIfAborted();
    const request = { method: question.method, params: paramsOf(question) };
    try {
      const options = { timeout: this.#timeoutMs, signal };
      // The library refuses all roots for one that is no file, such as an editor's remote folder.
      const answer: unknown = question.method === "roots/list"
        ? await this.#ctx.mcpReq.send(request, z.looseObject({}), options)
        : await this.#ctx.mcpReq.send(request, options);
      return isJsonObject(answer) ? answer : {};
    } catch (error) {
      throw signal.aborted ? signal.reason : this.#explain(question, error);
    }
  }

  #explain({ method }: Question, error: unknown): SkillzError {
    const action = `Cannot get an answer from the client (${method})`;
    if (error instanceof ProtocolError) {
      const { code, message } = error;
      return new SkillzError("failed", `${action}: it answered with error ${code}, ${message}`, {
        data: { code },
      });
    }
    if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) {
      return new SkillzError("timeout", `${action}: none came within ${this.#timeoutMs / 1_000} s`);
    }
    const reason = error instanceof Error ? error.message : String(error);
    return new SkillzError("unavailable", `${action}: ${reason}`, { cause: error });
  }
}

// This era's form for opening a page wants an id that the newer one does without.
function paramsOf({ method, params }: Question): JsonObject {
  if (method !== "elicitation/create") return params;
  if (params.mode === "url") return { elicitationId: crypto.randomUUID(), ...params };
  return { mode: "form", ...params };
}
