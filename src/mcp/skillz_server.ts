import {
  McpServer,
  type ProtocolError,
  type Result,
  type ServerContext,
  type Transport,
} from "@modelcontextprotocol/server";
import type { z } from "zod";
import { SkillzError } from "../base/errors.ts";
import { isJsonObject, type JsonObject } from "../base/json.ts";
import type { Logger } from "../base/log.ts";
import type { ToolResult } from "../base/tool_result.ts";
import type { AnswerDeps } from "./answer_request.ts";
import { readEnvelope } from "./envelope.ts";
import { isOurFault, toProtocolError } from "./errors.ts";
import type { HandlerScope, Ports } from "./handler_scope.ts";
import { handleCompletion } from "./handlers/completion.ts";
import { handleLogging } from "./handlers/logging.ts";
import { handlePrompts } from "./handlers/prompts.ts";
import { handleResources } from "./handlers/resources.ts";
import { handleSkills } from "./handlers/skills.ts";
import { handleTasks } from "./handlers/tasks.ts";
import { handleTools } from "./handlers/tools.ts";
import { CAPABILITIES, INSTRUCTIONS, SERVER_INFO } from "./identity.ts";
import { withKnownBlocks } from "./known_blocks.ts";
import { NotFoundCodes } from "./not_found_codes.ts";
import { inPlainWords } from "./plain_errors.ts";
import type { TaskStore } from "./task_store.ts";
import type { Session } from "./session.ts";

/** Options of {@linkcode SkillzServer}. */
export interface SkillzServerOptions extends AnswerDeps {
  readonly ports: Ports;
  readonly session: Session;
  readonly logger: Logger;
  readonly tasks: TaskStore;
  /** Called when the client is ready for notifications. */
  readonly onReady: (session: Session) => void;
}

/** The protocol library's server over our own tables: one for each connection, or for each modern HTTP request. */
export class SkillzServer extends McpServer implements HandlerScope {
  readonly ports: Ports;
  readonly session: Session;
  readonly logger: Logger;
  readonly lot: AnswerDeps["lot"];
  readonly codec: AnswerDeps["codec"];
  readonly running: AnswerDeps["running"];
  readonly tasks: TaskStore;
  readonly #notFound = new NotFoundCodes();

  /** Makes a server that is not connected yet. */
  constructor(options: SkillzServerOptions) {
    super(SERVER_INFO, {
      capabilities: CAPABILITIES,
      instructions: INSTRUCTIONS,
      requestState: { verify: options.codec.verify },
    });
    this.ports = options.ports;
    this.session = options.session;
    this.logger = options.logger;
    this.lot = options.lot;
    this.codec = options.codec;
    this.running = options.running;
    this.tasks = options.tasks;
    handleTools(this);
    handlePrompts(this);
    handleResources(this);
    handleCompletion(this);
    handleLogging(this);
    handleTasks(this);
    handleSkills(this);
    if (this.session.era === "legacy") this.#followHandshake(options.onReady);
  }

  /** Connects to a transport. */
  override connect(transport: Transport): Promise<void> {
    if (this.session.era === "legacy") this.#notFound.watch(transport);
    const send = transport.send.bind(transport);
    transport.send = (message, options) => send(inPlainWords(message), options);
    return super.connect(transport);
  }

  /** Installs a handler over our own checks and our own errors. */
  on<Params extends z.ZodType>(
    method: string,
    params: Params,
    handler: (params: z.output<Params>, ctx: ServerContext) => object | Promise<object>,
  ): void {
    this.server.setRequestHandler(method, { params }, async (given, ctx) => {
      this.#noteClient(ctx);
      try {
        return await handler(given as z.output<Params>, ctx) as Result;
      } catch (error) {
        throw this.#asProtocolError(method, ctx, error);
      }
    });
  }

  /** The client's capabilities: with each request, or as told when it connected. */
  declared(ctx: ServerContext): JsonObject {
    const known: unknown = readEnvelope(ctx).capabilities ?? this.server.getClientCapabilities();
    return isJsonObject(known) ? known : {};
  }

  /** The result as this era's clients want it. */
  project(result: ToolResult, outputSchema: JsonObject | undefined): Result {
    type Projected = Parameters<typeof this.server.projectCallToolResult>[0];
    const known = withKnownBlocks(result, this.server.getNegotiatedProtocolVersion());
    return this.server.projectCallToolResult(known as unknown as Projected, outputSchema);
  }

  /** Lets the library check `Mcp-Param-*` headers against the tool's schema. */
  override toolInputSchemaJson(name: string): Record<string, unknown> | undefined {
    return this.ports.tools.facts(name)?.inputSchema;
  }

  #followHandshake(onReady: (session: Session) => void): void {
    const { server, session } = this;
    server.oninitialized = () => {
      this.session.client = describeClient(server.getClientVersion());
      onReady(session);
    };
    server.setNotificationHandler("notifications/roots/list_changed", () => session.roots.forget());
  }

  #noteClient(ctx: ServerContext): void {
    const { clientInfo } = readEnvelope(ctx);
    if (clientInfo) this.session.client = describeClient(clientInfo);
  }

  #asProtocolError(method: string, ctx: ServerContext, error: unknown): ProtocolError {
    if (method === "resources/read" && error instanceof SkillzError && error.code === "not_found") {
      this.#notFound.mark(ctx.mcpReq.id);
    }
    if (isOurFault(error) && !ctx.mcpReq.signal.aborted) {
      this.logger.error("Request failed", { method, reason: String(error) });
    }
    return toProtocolError(error);
  }
}

function describeClient(info: { name?: unknown; version?: unknown } | undefined): string {
  return `${String(info?.name ?? "unknown")} ${String(info?.version ?? "")}`.trim();
}
