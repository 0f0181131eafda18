import { isJsonObject, type JsonObject, type JsonValue } from "../../../src/base/json.ts";
import { errorResult, okResult, textBlock, type ToolResult } from "../../../src/base/tool_result.ts";
import { DEFAULT_LIMITS } from "../../../src/sandbox/limits.ts";
import type { CallContext, Caller, ProgressUpdate } from "../../../src/run/call_context.ts";
import { guardDepth } from "../../../src/run/call_guard.ts";
import { createPipelineRunner } from "../../../src/run/pipeline/create_pipeline_runner.ts";
import type { KnownTool } from "../../../src/run/pipeline/known_tool.ts";
import type { CallTool } from "../../../src/run/runner.ts";
import type { PipelineStep, Tool, ToolAnnotations } from "../../../src/tools/tool.ts";
import { testManifest } from "../../support/test_manifest.ts";

/** A tool of the test's own: what it answers, and what is known of it. */
export interface TestTool {
  readonly run: (args: JsonObject, ctx: CallContext) => ToolResult | Promise<ToolResult>;
  readonly input?: JsonObject;
  readonly output?: JsonObject;
  readonly annotations?: ToolAnnotations;
}

/** A pipeline as a test writes it. */
export interface TestPipeline {
  readonly steps: readonly PipelineStep[];
  readonly output?: JsonValue;
  readonly input?: JsonObject;
}

/** An in-memory call port over test tools and pipelines, with the real depth guard and the real runner. */
export class TestTools {
  readonly calls: { name: string; args: JsonObject; ctx: CallContext }[] = [];
  readonly #tools: Readonly<Record<string, TestTool>>;
  readonly #pipelines: Readonly<Record<string, TestPipeline>>;

  constructor(
    tools: Readonly<Record<string, TestTool>>,
    pipelines: Readonly<Record<string, TestPipeline>> = {},
  ) {
    this.#tools = tools;
    this.#pipelines = pipelines;
  }

  readonly getTool = (name: string): KnownTool | undefined => {
    const pipeline = Object.hasOwn(this.#pipelines, name) ? this.#pipelines[name] : undefined;
    if (pipeline) return pipelineTool(name, pipeline).manifest;
    const tool = Object.hasOwn(this.#tools, name) ? this.#tools[name] : undefined;
    if (!tool) return undefined;
    return {
      input_schema: tool.input ?? { type: "object", properties: {} },
      ...(tool.output ? { output_schema: tool.output } : {}),
      ...(tool.annotations ? { annotations: tool.annotations } : {}),
    };
  };

  readonly callTool: CallTool = async (name, args, ctx) => {
    this.calls.push({ name, args, ctx });
    try {
      guardDepth(name, ctx);
    } catch (error) {
      return errorResult(error instanceof Error ? error.message : String(error));
    }
    const pipeline = this.#pipelines[name];
    if (pipeline) return await this.run(pipelineTool(name, pipeline), args, ctx);
    const tool = this.#tools[name];
    return tool ? await tool.run(args, ctx) : errorResult(`no tool ${name}`);
  };

  /** Runs a pipeline as the server would. */
  async run(tool: Tool, args: JsonObject = {}, ctx: CallContext = testContext()): Promise<ToolResult> {
    await using runner = createPipelineRunner(this);
    return await runner.run(tool, { kind: "tool", arguments: args }, ctx);
  }

  /** Runs steps as a pipeline `p`; returns what it answered as data. */
  async outcome(pipeline: TestPipeline, args: JsonObject = {}, ctx?: CallContext): Promise<Outcome> {
    const result = await this.run(pipelineTool("p", pipeline), args, ctx);
    const { output = null, error, steps } = result.structuredContent ?? {};
    const list = Array.isArray(steps) ? steps.filter(isJsonObject) : [];
    return { result, output, steps: list, ...(typeof error === "string" ? { error } : {}) };
  }
}

/** The answer of a pipeline, taken apart. */
export interface Outcome {
  readonly result: ToolResult;
  readonly output: JsonValue;
  readonly error?: string;
  readonly steps: readonly JsonObject[];
}

/** A pipeline as the store would have it. */
export function pipelineTool(name: string, { steps, output, input }: TestPipeline): Tool {
  return {
    name,
    directory: "/nowhere",
    hash: name,
    manifest: testManifest(name, {
      tool_type: "pipeline",
      ...(input === undefined ? {} : { input_schema: input }),
      limits: DEFAULT_LIMITS,
      pipeline_steps: [...steps],
      ...(output === undefined ? {} : { output }),
    }),
  };
}

/** A call from a client that can do nothing but hear of progress. */
export function testContext(
  options: { signal?: AbortSignal; progress?: (update: ProgressUpdate) => void } = {},
): CallContext {
  const caller: Caller = {
    sessionId: "s",
    capabilities: { sampling: false, elicitation: false, elicitationUrl: false, roots: false },
    clientCapabilities: {},
    roots: () => Promise.resolve([]),
    ask: () => Promise.reject(new Error("Nobody is there")),
    progress: options.progress ?? (() => {}),
    log: () => {},
  };
  return {
    callId: "c1",
    caller,
    signal: options.signal ?? new AbortController().signal,
    depth: 0,
    chain: [],
    meta: {},
  };
}

/** Answers its arguments as data. */
export const echo: TestTool = { run: (args) => okResult(JSON.stringify(args), args) };

/** Answers a text only. */
export function says(text: string): TestTool {
  return { run: () => ({ content: [textBlock(text)] }) };
}

/** Fails, as tools do. */
export function fails(text: string): TestTool {
  return { run: () => errorResult(text) };
}
