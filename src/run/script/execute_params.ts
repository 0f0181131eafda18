import type { JsonObject } from "../../base/json.ts";
import type { Tool } from "../../tools/tool.ts";
import type { CallContext } from "../call_context.ts";
import type { ToolRequest } from "../runner.ts";

/** What a script is told about where it runs. */
export interface ScriptPlace {
  /** Workspace folders, the client's first. */
  readonly roots: readonly string[];
  /** Where it was started. */
  readonly workingDirectory: string;
  /** TOOLS_DIR as the script sees it. */
  readonly toolsDir: string;
  /** `context.environment`. */
  readonly environment: Readonly<Record<string, string>>;
  /** `context.services`: host, port and ports of the services it requires. */
  readonly services: JsonObject;
}

/** The params of `execute`: `arguments` and `context`, as the guide describes them. */
export function executeParams(
  call: { tool: Tool; request: ToolRequest; ctx: CallContext },
  place: ScriptPlace,
): JsonObject {
  const { tool, request, ctx } = call;
  const { capabilities } = ctx.caller;
  return {
    arguments: request.kind === "resource" ? request.variables : request.arguments,
    context: {
      roots: [...place.roots],
      working_directory: place.workingDirectory,
      tool_name: tool.name,
      tool_directory: tool.directory,
      tools_dir: place.toolsDir,
      environment: { ...place.environment },
      services: place.services,
      capabilities: {
        sampling: capabilities.sampling,
        elicitation: capabilities.elicitation,
        elicitation_url: capabilities.elicitationUrl,
        roots: capabilities.roots,
        memory: true,
        resources: true,
      },
      clientCapabilities: ctx.caller.clientCapabilities,
      _meta: ctx.meta,
      call: callFacts(request, ctx),
    },
  };
}

function callFacts(request: ToolRequest, ctx: CallContext): JsonObject {
  return {
    id: ctx.callId,
    depth: ctx.depth,
    deadline: ctx.deadline ?? null,
    kind: request.kind,
    ...(request.kind === "prompt" ? { name: request.name } : {}),
    ...(request.kind === "resource" ? { uri: request.uri } : {}),
  };
}
