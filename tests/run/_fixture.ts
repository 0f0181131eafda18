import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject, JsonValue } from "../../src/base/json.ts";
import type { Logger } from "../../src/base/log.ts";
import type { ToolResult } from "../../src/base/tool_result.ts";
import type { MemoryEntry } from "../../src/memory/memory_store.ts";
import type {
  CallContext,
  Caller,
  McpLogLevel,
  ProgressUpdate,
  Question,
} from "../../src/run/call_context.ts";
import type { Host } from "../../src/run/host.ts";
import { Reaper } from "../../src/process/reaper.ts";
import type { CallTool, Runner } from "../../src/run/runner.ts";
import { createScriptRunner, type ScriptRunnerDeps } from "../../src/run/script/create_script_runner.ts";
import { createHelpers } from "../../src/run/script/helper_folder.ts";
import type { SandboxChoice } from "../../src/base/sandbox_mode.ts";
import { openSandbox } from "../../src/sandbox/open_sandbox.ts";
import { createProgramResolver } from "../../src/sandbox/resolve_program.ts";
import type { Manifest, Tool } from "../../src/tools/tool.ts";
import { tempDir } from "../support/temp_dir.ts";
import { testManifest } from "../support/test_manifest.ts";

/** Logs nothing. */
export const SILENT: Logger = { debug() {}, info() {}, warn() {}, error() {} };

/** What a caller was told. */
export interface Heard {
  progress: ProgressUpdate[];
  logs: { level: McpLogLevel; data: JsonValue; logger?: string }[];
  questions: Question[];
}

/** A caller in memory: the client's side of the port. */
export function testCaller(
  options: {
    answer?: (question: Question, signal: AbortSignal) => Promise<JsonObject> | JsonObject;
    roots?: readonly string[];
    sessionId?: string;
  } = {},
): { caller: Caller; heard: Heard } {
  const heard: Heard = { progress: [], logs: [], questions: [] };
  const can = options.answer !== undefined;
  const caller: Caller = {
    sessionId: options.sessionId ?? "test",
    capabilities: { sampling: can, elicitation: can, elicitationUrl: false, roots: false },
    clientCapabilities: can ? { elicitation: {}, sampling: {} } : {},
    roots: () => Promise.resolve(options.roots),
    ask: async (question, signal) => {
      heard.questions.push(question);
      if (!options.answer) throw new Error("Cannot ask: the client has no answers");
      return await options.answer(question, signal);
    },
    progress: (update) => void heard.progress.push(update),
    log: (level, data, logger) =>
      void heard.logs.push({ level, data, ...(logger === undefined ? {} : { logger }) }),
  };
  return { caller, heard };
}

/** A context of a client's own call. */
export function testContext(options: Partial<CallContext> = {}): CallContext {
  return {
    callId: crypto.randomUUID(),
    caller: testCaller().caller,
    signal: new AbortController().signal,
    depth: 0,
    chain: [],
    meta: {},
    ...options,
  };
}

/** A host whose memory is a map. */
export function testHost(options: { callTool?: CallTool } = {}): Host & { entries: Map<string, JsonValue> } {
  const entries = new Map<string, JsonValue>();
  const entry = (key: string): MemoryEntry => ({
    key: key.slice(key.indexOf("/") + 1),
    value: entries.get(key) ?? null,
    created_at: "",
    updated_at: "",
  });
  return {
    entries,
    memory: {
      get: (space, key) =>
        Promise.resolve(entries.has(`${space}/${key}`) ? entry(`${space}/${key}`) : undefined),
      set: (space, key, value) => {
        entries.set(`${space}/${key}`, value);
        return Promise.resolve();
      },
      list: (space, { prefix = "" } = {}) =>
        Promise.resolve(
          [...entries.keys()].filter((key) => key.startsWith(`${space}/${prefix}`)).sort().map(entry),
        ),
      delete: (space, key) => Promise.resolve(entries.delete(`${space}/${key}`)),
    },
    callTool: options.callTool ?? (() => Promise.reject(new Error("Cannot call: there are no tools"))),
    listResources: () => Promise.resolve({ resources: [{ uri: "test://a", name: "a" }] }),
    readResource: (uri) => Promise.resolve({ contents: [{ uri, text: `text of ${uri}` }] }),
  };
}

/** A script runner over real processes in a folder of its own. */
export interface Bench extends AsyncDisposable {
  readonly toolsDir: string;
  readonly scratchRoot: string;
  readonly deps: ScriptRunnerDeps;
  readonly host: ReturnType<typeof testHost>;
  readonly runner: Runner;
  /** Writes a script tool to the folder. */
  tool(name: string, script: ScriptSpec): Promise<Tool>;
  /** Calls it. */
  call(tool: Tool, args?: JsonObject, ctx?: CallContext): Promise<ToolResult>;
}

/** A script and what its manifest says besides the defaults. */
export interface ScriptSpec {
  interpreter: string;
  code: string;
  extension?: string;
  manifest?: Partial<Manifest>;
}

/** Makes a bench; `changes` replaces parts of what the runner gets. */
export async function bench(
  changes: {
    callTool?: CallTool;
    deps?: Partial<ScriptRunnerDeps>;
    secrets?: Record<string, string>;
    /** @default "none" */
    sandbox?: SandboxChoice;
  } = {},
): Promise<Bench> {
  const dir = await tempDir();
  const [toolsDir, scratchRoot, root] = ["tools", "scratch", "root"].map((name) => join(dir.path, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [toolsDir, scratchRoot, root]) await mkdir(path);
  const safeEnvironment = { PATH: Deno.env.get("PATH") ?? "", LANG: "C.UTF-8" };
  const programs = createProgramResolver({ safeEnvironment, denoPath: Deno.execPath() });
  const strays = new Reaper();
  const host = testHost(changes.callTool ? { callTool: changes.callTool } : {});
  const deps: ScriptRunnerDeps = {
    settings: {
      toolsDir,
      roots: [root],
      home: join(dir.path, "home"),
      secrets: changes.secrets ?? {},
      safeEnvironment,
      sandboxNetwork: false,
      defaultProfile: { read: ["$ROOTS"] },
    },
    programs,
    helpers: createHelpers(toolsDir),
    sandbox: openSandbox({ choice: changes.sandbox ?? "none", programs, logger: SILENT }),
    scratchRoot,
    strays,
    host,
    logger: SILENT,
    ...changes.deps,
  };
  const runner = createScriptRunner(deps);
  let version = 0;
  return {
    toolsDir,
    scratchRoot,
    deps,
    host,
    runner,
    async tool(name, { interpreter, code, extension = "txt", manifest }) {
      const directory = join(toolsDir, name);
      await mkdir(directory, { recursive: true });
      const entry = `${name}.${extension}`;
      await writeFile(join(directory, entry), code);
      return {
        name,
        directory,
        hash: `${name}-${++version}`,
        manifest: testManifest(name, { interpreter, entry_file: entry, ...manifest }),
      };
    },
    call: (tool, args = {}, ctx = testContext()) => runner.run(tool, { kind: "tool", arguments: args }, ctx),
    async [Symbol.asyncDispose]() {
      await runner[Symbol.asyncDispose]();
      await strays[Symbol.asyncDispose]();
      await deps.sandbox[Symbol.asyncDispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
}
