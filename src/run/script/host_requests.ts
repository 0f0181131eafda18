import { SkillzError } from "../../base/errors.ts";
import { isJsonObject, type JsonObject, jsonTypeOf, type JsonValue } from "../../base/json.ts";
import { resultText } from "../../base/tool_result.ts";
import type { Tool } from "../../tools/tool.ts";
import type { CallContext, Question } from "../call_context.ts";
import { childContext } from "../child_context.ts";
import type { Host } from "../host.ts";
import type { Progress } from "../progress.ts";
import { workspaceRoots } from "../workspace_roots.ts";

/** The call on whose behalf a script asks. */
export interface HostRequestScope {
  /** The tool that asks. */
  readonly tool: Tool;
  /** Context of the call; its signal ends whatever was asked. */
  readonly ctx: CallContext;
  /** Serves what is not the caller's to answer. */
  readonly host: Host;
  /** Progress of the call, for notes of nested calls. */
  readonly progress: Progress;
  /** Workspace roots of the server's configuration. */
  readonly configuredRoots: readonly string[];
}

/** What a script asks. */
export interface HostRequest {
  /** What is asked for, in our spelling or an older one. */
  readonly method: string;
  /** What it is asked with, unchecked. */
  readonly params: JsonObject;
  /** The script's own id of the request, as text. */
  readonly key: string;
}

type Serve = (request: HostRequest, scope: HostRequestScope) => Promise<JsonValue>;

const SERVED = {
  "memory/get": async ({ params }, { tool, host }) => {
    const entry = await host.memory.get(tool.name, text(params, "key"));
    return { value: entry?.value ?? null, found: entry !== undefined };
  },
  "memory/set": async ({ params }, { tool, host }) => {
    if (params.value === undefined) throw missing("value", "any JSON value");
    const ttl = params.ttl ?? undefined;
    if (ttl !== undefined && typeof ttl !== "number") throw wrongType("ttl", "a number of seconds", ttl);
    await host.memory.set(tool.name, text(params, "key"), params.value, ttl === undefined ? {} : { ttl });
    return { success: true };
  },
  "memory/list": async ({ params }, { tool, host }) => {
    const prefix = params.prefix === undefined || params.prefix === null ? undefined : text(params, "prefix");
    const limit = typeof params.limit === "number" ? params.limit : undefined;
    const entries = await host.memory.list(tool.name, {
      ...(prefix === undefined ? {} : { prefix }),
      ...(limit === undefined ? {} : { limit }),
    });
    return { keys: entries.map((entry) => entry.key) };
  },
  "memory/delete": async ({ params }, { tool, host }) => ({
    deleted: await host.memory.delete(tool.name, text(params, "key")),
  }),
  "resources/list": (_request, { host, ctx }) => host.listResources(ctx),
  "resources/read": ({ params }, { host, ctx }) => host.readResource(text(params, "uri"), ctx),
  "elicitation/create": (request, scope) => ask("elicitation/create", request, scope),
  "sampling/createMessage": (request, scope) => ask("sampling/createMessage", request, scope),
  "roots/list": async (request, scope) => {
    if (scope.ctx.caller.capabilities.roots) return await ask("roots/list", request, scope);
    const roots = await workspaceRoots(scope.ctx, scope.configuredRoots);
    return { roots: roots.map((path) => ({ uri: fileUri(path), name: path.split(/[/\\]/).at(-1) || path })) };
  },
  "tools/call": callTool,
} satisfies Record<string, Serve>;

/** Answers one request of a script. Throws `SkillzError`; an unknown method is `not_found`. */
export async function serveHostRequest(request: HostRequest, scope: HostRequestScope): Promise<JsonValue> {
  const { method } = request;
  if (!Object.hasOwn(SERVED, method)) {
    throw new SkillzError("not_found", `Cannot serve "${method}": there is no such method`, {
      hint: `The server answers ${Object.keys(SERVED).join(", ")}`,
      data: { rpc_code: -32601 },
    });
  }
  const serve: Serve = SERVED[method as keyof typeof SERVED];
  return await serve(request, scope);
}

async function callTool(
  { params }: HostRequest,
  { tool, ctx, host, progress }: HostRequestScope,
): Promise<JsonObject> {
  const name = text(params, "name");
  const args = params.arguments ?? {};
  if (!isJsonObject(args)) throw wrongType("arguments", "an object", args);
  const version = params.version === undefined ? {} : { version: text(params, "version") };
  const result = await host.callTool(name, args, childContext(ctx, { tool: tool.name, progress }), version);
  // `output` is what scripts of the older edition read.
  return { ...result as unknown as JsonObject, output: resultText(result) };
}

async function ask(
  method: Question["method"],
  { params, key }: HostRequest,
  { ctx }: HostRequestScope,
): Promise<JsonObject> {
  const { _meta: meta, ...rest } = params;
  const { "skillz/call": _call, ...kept } = isJsonObject(meta) ? meta : {};
  const question = Object.keys(kept).length > 0 ? { ...rest, _meta: kept } : rest;
  // Keys of the server's own questions are not for scripts: an answer given to one must never count for the other.
  const own = key.startsWith("policy:") ? `tool-${key}` : key;
  return await ctx.caller.ask({ method, params: question, key: own }, ctx.signal);
}

function fileUri(path: string): string {
  const slashed = path.replaceAll("\\", "/");
  return `file://${slashed.startsWith("/") ? "" : "/"}${
    slashed.split("/").map(encodeURIComponent).join("/")
  }`;
}

function text(params: JsonObject, field: string): string {
  const value = params[field];
  if (value === undefined) throw missing(field, "a string");
  if (typeof value !== "string") throw wrongType(field, "a string", value);
  return value;
}

function missing(field: string, wanted: string): SkillzError {
  return new SkillzError(
    "invalid_input",
    `Cannot serve the request: params.${field} is missing, it must be ${wanted}`,
  );
}

function wrongType(field: string, wanted: string, value: JsonValue): SkillzError {
  return new SkillzError(
    "invalid_input",
    `Cannot serve the request: params.${field} is ${jsonTypeOf(value)}, it must be ${wanted}`,
  );
}
