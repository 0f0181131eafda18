import type { Result, ServerContext } from "@modelcontextprotocol/server";
import type { z } from "zod";
import type { JsonObject } from "../base/json.ts";
import type { Logger } from "../base/log.ts";
import type { ToolResult } from "../base/tool_result.ts";
import type { AnswerDeps } from "./answer_request.ts";
import type { PromptsPort, ResourcesPort, SkillsPort, ToolsPort } from "./ports.ts";
import type { TaskStore } from "./task_store.ts";
import type { Session } from "./session.ts";

/** What the server serves. */
export interface Ports {
  readonly tools: ToolsPort;
  readonly prompts: PromptsPort;
  readonly resources: ResourcesPort;
  readonly skills: SkillsPort;
  /** Resolves when what is read in the background after the start is there; lists are whole then. Never takes long. */
  ready?(): Promise<void>;
}

/** What the handlers of one connection share. */
export interface HandlerScope extends AnswerDeps {
  readonly ports: Ports;
  readonly session: Session;
  readonly logger: Logger;
  readonly tasks: TaskStore;
  /**
   * Installs a handler. Parameters that do not fit are answered with "invalid params", errors as `errors.ts` says.
   */
  on<Params extends z.ZodType>(
    method: string,
    params: Params,
    handler: (params: z.output<Params>, ctx: ServerContext) => object | Promise<object>,
  ): void;
  /** The client's capabilities as it sent them. */
  declared(ctx: ServerContext): JsonObject;
  /** The result as this era's clients want it. */
  project(result: ToolResult, outputSchema: JsonObject | undefined): Result;
}
