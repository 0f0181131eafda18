import type { Logger } from "../base/log.ts";
import { SkillzError } from "../base/errors.ts";
import type { TempRoot } from "../base/temp_root.ts";
import type { Config } from "../config/config.ts";
import type { BuiltinTable } from "../mcp/builtin_table.ts";
import type { ResourcesPort } from "../mcp/ports.ts";
import type { MemoryStore } from "../memory/memory_store.ts";
import type { StrayCollector } from "../process/spawn.ts";
import { createCallTool, type ToolSource } from "../run/call_tool.ts";
import type { CallContext } from "../run/call_context.ts";
import type { CodeRunner } from "../run/code/run_code.ts";
import type { Host } from "../run/host.ts";
import { createLargeResults, type LargeResults } from "../run/large_results.ts";
import { type RecentFailures, rememberFailures } from "../run/recent_failures.ts";
import { createRunTool, type RunTool } from "../run/run_tool.ts";
import type { CallTool, Runner } from "../run/runner.ts";
import type { ToolEnvironments } from "../run/script/tool_environment.ts";
import type { ProgramResolver } from "../sandbox/resolve_program.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import type { Tool } from "../tools/tool.ts";
import type { ToolStore } from "../tools/tool_store.ts";
import { createValidator, type Validator } from "../tools/validator.ts";
import type { Audit } from "./compose_audit.ts";
import type { ComposedPolicy } from "./compose_policy.ts";
import { codeTools, knownTool } from "./code_tools.ts";
import { lateCode, latePipelines, lateScripts, lateWasm } from "./late_runners.ts";

/** What {@linkcode composeRun} joins. */
export interface RunParts {
  readonly config: Config;
  readonly policy: ComposedPolicy;
  readonly audit: Audit;
  readonly logger: Logger;
  readonly store: ToolStore;
  readonly memory: MemoryStore;
  readonly sandbox: Sandbox;
  readonly programs: ProgramResolver;
  /** Dependencies of script tools. */
  readonly environments: ToolEnvironments;
  /** Ends what ended tools left running. */
  readonly strays: StrayCollector;
  /** For temporary files. */
  readonly temp: TempRoot;
  /** Built-in tools, to be called by name. */
  readonly builtins: ToolSource;
  /** Names of skills, which a call by name may be meant for. */
  skills(): readonly string[];
  /** Resources for scripts that read them; asked late, they are built later. */
  resources(): ResourcesPort;
  /** Built-in tools for generated code; asked late, they are built later. */
  listings(): BuiltinTable;
}

/** Everything that runs tools. */
export interface Run extends AsyncDisposable {
  readonly callTool: CallTool;
  readonly runTool: RunTool;
  readonly code: CodeRunner;
  readonly failures: RecentFailures;
  /** The one that tools are held to. */
  readonly validator: Validator;
  /** Results that were too long for clients. */
  readonly results: LargeResults;
  /** Throws why a tool that is about to be saved could not be started. */
  check(staged: Tool, ctx: CallContext): Promise<void>;
  /** Drops what is kept warm for a tool. */
  forget(name?: string): Promise<void>;
}

/** Builds the runners and the one way to call a tool. */
export function composeRun(parts: RunParts): Run {
  const { config, store, audit } = parts;
  const validator = createValidator();
  const host: Host = {
    memory: parts.memory,
    callTool: (name, args, ctx, options) => callTool(name, args, ctx, options),
    listResources: () =>
      Promise.resolve({ resources: parts.resources().list().map((one) => ({ ...one })) as never }),
    readResource: async (uri, ctx) => ({ contents: [...await parts.resources().read(uri, ctx)] as never }),
  };
  const scripts = lateScripts(parts);
  const script = scripts(host);
  const wasm = lateWasm(parts);
  const failures = rememberFailures(createRunTool({
    runners: {
      script,
      wasm,
      pipeline: latePipelines({ callTool: host.callTool, getTool: (name) => knownTool(name, parts) }),
      mcp: missingRunner("mcp"),
      knowledge: missingRunner("knowledge"),
    },
    checkSchema: (tool, side, value) => {
      const { input_schema, output_schema } = tool.manifest;
      const schema = side === "input" ? input_schema : output_schema;
      return schema === undefined ? [] : validator.problems(schema, value);
    },
    authorize: parts.policy.authorize,
    audit: audit.sink,
    redact: audit.redact,
  }));
  const callTool = createCallTool({
    store,
    builtins: parts.builtins,
    skills: parts.skills,
    runTool: failures.runTool,
    audit: audit.sink,
    redact: audit.redact,
  });
  const results = createLargeResults({ parent: () => parts.temp.path() });
  const code = lateCode({
    config,
    temp: parts.temp,
    programs: parts.programs,
    callTool,
    authorize: parts.policy.authorizeOnce,
    tools: () => codeTools(parts),
    script: scripts,
  });
  return {
    callTool,
    runTool: failures.runTool,
    code,
    failures,
    validator,
    results,
    async check(staged, ctx) {
      if (staged.manifest.tool_type === "script") await script.check?.(staged, ctx);
    },
    async forget(name) {
      await Promise.all([script.forget?.(name), wasm.forget?.(name)]);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([script, wasm, code, results].map((part) => part[Symbol.asyncDispose]()));
    },
  };
}

function missingRunner(type: string): Runner {
  return {
    run: (tool) => {
      throw new SkillzError(
        "unavailable",
        `Cannot run "${tool.name}": this server can't run tools of type ${type}`,
      );
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
