import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject } from "../../src/base/json.ts";
import type { Logger } from "../../src/base/log.ts";
import type { SandboxChoice } from "../../src/base/sandbox_mode.ts";
import { resultText, type ToolResult } from "../../src/base/tool_result.ts";
import { Reaper } from "../../src/process/reaper.ts";
import { spawnProcess } from "../../src/process/spawn.ts";
import type { CallContext } from "../../src/run/call_context.ts";
import { createScriptRunner, type ScriptRunnerDeps } from "../../src/run/script/create_script_runner.ts";
import { createHelpers } from "../../src/run/script/helper_folder.ts";
import { resolveLimits } from "../../src/sandbox/limits.ts";
import { openSandbox } from "../../src/sandbox/open_sandbox.ts";
import { createProgramResolver } from "../../src/sandbox/resolve_program.ts";
import type { Manifest, Tool } from "../../src/tools/tool.ts";

/** A script to be measured. */
export interface ScriptSource {
  interpreter: string;
  extension: string;
  code: string;
  manifest?: Partial<Manifest>;
}

/** A script runner over real processes in a folder of its own. */
export interface World extends AsyncDisposable {
  /** Writes a script tool to the folder. */
  tool(name: string, source: ScriptSource): Promise<Tool>;
  /** Calls it; throws when that fails. */
  call(tool: Tool, args?: JsonObject): Promise<ToolResult>;
  /** Spawns the interpreter on the script, with nothing around it. */
  direct(tool: Tool): Promise<void>;
}

const SILENT: Logger = { debug() {}, info() {}, warn() {}, error() {} };

/** Opens one; `changes` replaces parts of what the runner gets. */
export async function openWorld(choice: SandboxChoice, changes: Partial<ScriptRunnerDeps>): Promise<World> {
  const folder = await Deno.makeTempDir();
  const toolsDir = join(folder, "tools");
  const root = join(folder, "root");
  await mkdir(toolsDir);
  await mkdir(root);
  const safeEnvironment = { PATH: Deno.env.get("PATH") ?? "", LANG: "C.UTF-8" };
  const programs = createProgramResolver({ safeEnvironment, denoPath: Deno.execPath() });
  const sandbox = openSandbox({ choice, programs, logger: SILENT });
  const strays = new Reaper();
  const tools = new Map<string, Tool>();
  const memory = new Map<string, unknown>();
  const signal = new AbortController().signal;
  const runner = createScriptRunner({
    settings: {
      toolsDir,
      roots: [root],
      home: join(folder, "home"),
      secrets: {},
      safeEnvironment,
      sandboxNetwork: false,
      defaultProfile: { read: ["$ROOTS"] },
    },
    programs,
    helpers: createHelpers(toolsDir),
    sandbox,
    strays,
    logger: SILENT,
    scratchRoot: folder,
    host: {
      memory: {
        get: (_space, key) => Promise.resolve(memory.get(key) as never),
        set: (_space, key, value) => Promise.resolve(void memory.set(key, { key, value })),
        list: () => Promise.resolve([]),
        delete: (_space, key) => Promise.resolve(memory.delete(key)),
      },
      callTool: (name, args, ctx) => run(tools.get(name), args, ctx),
      listResources: () => Promise.resolve({ resources: [] }),
      readResource: () => Promise.resolve({ contents: [] }),
    },
    ...changes,
  });
  const run = async (tool: Tool | undefined, args: JsonObject, ctx: CallContext): Promise<ToolResult> => {
    if (!tool) throw new Error("Cannot measure: there is no such tool");
    const result = await runner.run(tool, { kind: "tool", arguments: args }, ctx);
    if (result.isError) throw new Error(`Cannot measure "${tool.name}": ${resultText(result)}`);
    return result;
  };
  return {
    async tool(name, { interpreter, extension, code, manifest }) {
      const directory = join(toolsDir, name);
      await mkdir(directory, { recursive: true });
      await writeFile(join(directory, `${name}.${extension}`), code);
      const tool = {
        name,
        directory,
        hash: name,
        manifest: manifestOf(name, { interpreter, entry_file: `${name}.${extension}`, ...manifest }),
      };
      tools.set(name, tool);
      return tool;
    },
    call: (tool, args = { a: 1 }) => run(tool, args, context(signal)),
    async direct(tool) {
      const { command, args } = await programs.resolve(tool.manifest.interpreter ?? "", { signal });
      const flags = args[0] === "run"
        ? ["run", "--no-config", "--no-lock", "--no-remote", "--no-npm", "--no-prompt"]
        : args;
      const entry = join(tool.directory, tool.manifest.entry_file ?? "");
      await using child = spawnProcess({
        command,
        args: [...flags, entry],
        cwd: root,
        env: { ...safeEnvironment, HOME: root },
      }, { strays });
      await child.write(
        '{"jsonrpc":"2.0","id":1,"method":"execute","params":{"arguments":{"a":1},"context":{}}}\n',
      );
      await child.stdout.pipeTo(new WritableStream());
      await child.status;
    },
    async [Symbol.asyncDispose]() {
      await runner[Symbol.asyncDispose]();
      await strays[Symbol.asyncDispose]();
      await sandbox[Symbol.asyncDispose]();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

function context(signal: AbortSignal): CallContext {
  return {
    callId: "bench",
    caller: {
      sessionId: "bench",
      capabilities: { sampling: false, elicitation: false, elicitationUrl: false, roots: false },
      clientCapabilities: {},
      roots: () => Promise.resolve([]),
      ask: () => Promise.reject(new Error("Cannot ask: nobody is there")),
      progress() {},
      log() {},
    },
    signal,
    depth: 0,
    chain: [],
    meta: {},
  };
}

function manifestOf(name: string, changes: Partial<Manifest>): Manifest {
  return {
    name,
    description: name,
    version: "1.0.0",
    tool_type: "script",
    input_schema: { type: "object", properties: {} },
    dependencies: [],
    wasm_dependencies: [],
    limits: resolveLimits(),
    requires_services: [],
    requires_skills: [],
    core: false,
    tags: [],
    examples: [],
    lifecycle: "fresh",
    concurrency: 1,
    prompts: [],
    resources: [],
    resource_templates: [],
    task: "none",
    disabled: false,
    extra: {},
    ...changes,
  };
}
