import { isSpecType } from "@modelcontextprotocol/server";
import { SkillzError } from "../../base/errors.ts";
import { isJsonObject } from "../../base/json.ts";
import { resultText, type ToolResult } from "../../base/tool_result.ts";
import type { CallContext } from "../../run/call_context.ts";
import type { ToolRequest } from "../../run/runner.ts";
import type { Tool, ToolPrompt } from "../../tools/tool.ts";
import { type PromptProvider, userMessage } from "./prompt_provider.ts";

/** What prompts of made tools need. */
export interface MadePromptsDeps {
  /** Made tools, whose manifests offer prompts. */
  tools(): readonly Tool[];
  /** Puts a request to a tool's script, with all checks. */
  runRequest(tool: Tool, request: ToolRequest, ctx: CallContext): Promise<ToolResult>;
}

/** Prompts that manifests offer, answered by the tool's script. */
export function createMadePrompts(deps: MadePromptsDeps): PromptProvider {
  const offers = () =>
    deps.tools().filter((tool) => !tool.manifest.disabled)
      .flatMap((tool) => tool.manifest.prompts.map((prompt) => ({ tool, prompt })));
  const find = (name: string) => offers().find(({ prompt }) => prompt.name === name);
  return {
    list: () => offers().map(({ prompt }) => listing(prompt)),
    async get(name, args, ctx) {
      const offer = find(name);
      if (!offer) throw new SkillzError("not_found", `Cannot get prompt "${name}": there is no such prompt`);
      const result = await deps.runRequest(offer.tool, { kind: "prompt", name, arguments: { ...args } }, ctx);
      if (result.isError) {
        throw new SkillzError(
          "failed",
          `Cannot get prompt "${name}": ${offer.tool.name} failed: ${resultText(result)}`,
        );
      }
      // MCP's `messages`, or any text or data, which is one message then.
      const data = result.structuredContent;
      if (isJsonObject(data) && Array.isArray(data.messages)) {
        if (isSpecType.GetPromptResult(data)) return data;
        throw new SkillzError(
          "failed",
          `Cannot get prompt "${name}": ${offer.tool.name} answered odd messages, each must have a role (user or ` +
            "assistant) and a content block",
        );
      }
      return userMessage(resultText(result), offer.prompt.description);
    },
    complete(name, argument) {
      const values = find(name)?.prompt.arguments?.find((one) => one.name === argument.name)?.values;
      return Promise.resolve(values ?? []);
    },
  };
}

function listing(prompt: ToolPrompt) {
  return {
    name: prompt.name,
    ...(prompt.title === undefined ? {} : { title: prompt.title }),
    description: prompt.description || prompt.name,
    ...(prompt.arguments === undefined ? {} : {
      arguments: prompt.arguments.map(({ name, description, required }) => ({
        name,
        ...(description === undefined ? {} : { description }),
        ...(required === undefined ? {} : { required }),
      })),
    }),
  };
}
