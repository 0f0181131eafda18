import { realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "../../base/json.ts";
import type { ToolResult } from "../../base/tool_result.ts";
import type { StrayCollector } from "../../process/spawn.ts";
import type { Access } from "../../sandbox/permissions.ts";
import type { Isolation } from "../../sandbox/sandbox.ts";
import type { Tool } from "../../tools/tool.ts";
import type { CallContext } from "../call_context.ts";
import { FairQueue } from "../fair_queue.ts";
import type { Runner, ToolRequest } from "../runner.ts";
import type { ServiceLinks } from "../service_links.ts";
import type { EngineCommand } from "./engine_command.ts";
import { EnginePool } from "./engine_pool.ts";
import type { EngineProcess, EngineRun } from "./engine_process.ts";
import { watchCpuTime } from "./cpu_time.ts";
import { HostFiles } from "./files/host_files.ts";
import { findPreopens } from "./files/preopens.ts";
import { Rights } from "./files/rights.ts";
import { invocationOf } from "./invocation.ts";
import { ModuleStore } from "./module_store.ts";
import { StderrTail } from "./stderr_tail.ts";
import { wasmResult } from "./wasm_result.ts";

/** What a module may touch in one call. */
export interface WasmAccess {
  /** What is granted. */
  readonly access: Access;
  /** The workspace root, if it is granted: where relative paths begin. */
  readonly workingDirectory?: string;
}

/** What {@linkcode createWasmRunner} needs. */
export interface WasmRunnerDeps {
  /** How engines are started, see `engineCommand`. */
  readonly engine: EngineCommand;
  /** Secrets for tools, by name. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Names of those that a tool without `permissions` and `env` gets; all when absent. */
  readonly secretsByDefault?: readonly string[];
  /** The safe list of the server's environment. */
  readonly safeEnvironment: Readonly<Record<string, string>>;
  /** What a tool may touch, asked only when a module looks for files. The scratch folder need not be there. */
  loadAccess(tool: Tool, scratch: string, ctx: CallContext): Promise<WasmAccess>;
  /** How required services are reached. */
  readonly services?: ServiceLinks;
  /** Ends what ended engines left behind. */
  readonly strays?: StrayCollector;
  /**
   * Folder for the private folders of calls.
   * @default the system's folder for temporary files
   */
  readonly scratchRoot?: string;
  /**
   * Most engines, that is calls, at once.
   * @default 16
   */
  readonly maxWorkers?: number;
  /**
   * How long an engine without work is kept.
   * @default 60000
   */
  readonly idleMs?: number;
}

/** An engine whose module took more than this is not used again, which gives the memory back at once. */
const LARGE_MEMORY = 64 * 1024 * 1024;
const ISOLATION: Isolation = {
  mode: "wasm",
  network: "none",
  filesystem: "granted",
  limits: ["timeout_ms", "memory_mb", "cpu_ms", "output_bytes", "open_files", "file_bytes"],
};

/**
 * The runner of tools whose `tool_type` is `wasm`. Modules run in engine processes without any permission; each call gets
 * a fresh instance, and an engine whose call is cut short ends with it.
 */
export function createWasmRunner(deps: WasmRunnerDeps): Runner {
  return new WasmRunner(deps);
}

class WasmRunner implements Runner {
  readonly #deps: WasmRunnerDeps;
  readonly #modules = new ModuleStore();
  readonly #queue: FairQueue;
  readonly #pool: EnginePool;
  #scratchRoot: Promise<string> | undefined;

  constructor(deps: WasmRunnerDeps) {
    const { engine: command, maxWorkers: max = 16, idleMs = 60_000, strays } = deps;
    this.#deps = deps;
    this.#queue = new FairQueue(max);
    const base = Math.min(navigator.hardwareConcurrency, 4);
    this.#pool = new EnginePool({
      command,
      max,
      base,
      growAfterMs: 25,
      idleMs,
      ...(strays === undefined ? {} : { strays }),
    });
  }

  async run(tool: Tool, request: ToolRequest, ctx: CallContext): Promise<ToolResult> {
    const { signal } = ctx;
    ctx.confined?.({ ...ISOLATION });
    const { services, secrets, secretsByDefault, safeEnvironment } = this.#deps;
    const names = tool.manifest.requires_services;
    const [module, bound] = await Promise.all([
      this.#modules.get(tool),
      names.length > 0 ? services?.resolve(names, { signal }) : undefined,
    ]);
    await using files = this.#files(tool, ctx);
    const stderr = new StderrTail((line) => ctx.caller.log("info", line, tool.name));
    const { stdin, args, env } = invocationOf(tool.manifest, {
      request,
      secrets,
      ...(secretsByDefault === undefined ? {} : { secretsByDefault }),
      safe: safeEnvironment,
      services: bound?.env ?? {},
    });
    const { limits } = tool.manifest;
    const end = await this.#execute({
      module,
      stdin,
      message: {
        args,
        env,
        outputBytes: limits.output_bytes,
        openFiles: limits.open_files,
      },
      files: (work, payload) => files.serve(work, payload),
      stderr: (bytes) => stderr.push(bytes),
    }, { tool, ctx });
    files.check();
    const result = wasmResult(end, {
      tool: tool.name,
      request,
      limits,
      stderr: stderr.end(end.kind === "end" ? end.end.stderr : ""),
      refused: files.refusals.hint(),
    });
    return { ...result, _meta: { ...result._meta, "skillz/isolation": { ...ISOLATION } as JsonObject } };
  }

  forget(name?: string): Promise<void> {
    this.#modules.forget(name);
    if (name === undefined) this.#pool.drop();
    return Promise.resolve();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool[Symbol.asyncDispose]();
  }

  async #execute(run: EngineRun, { tool, ctx }: { tool: Tool; ctx: CallContext }) {
    const { signal } = ctx;
    // A module can't call other tools, so calls at every depth may share one lane.
    using _slot = await this.#queue.enter({ session: ctx.caller.sessionId, depth: 0, signal });
    const engine: EngineProcess = await this.#pool.take(signal);
    let reuse = false;
    try {
      using cpu = watchCpuTime(engine.pid, { tool: tool.name, limits: tool.manifest.limits, signal });
      const end = await engine.run(run, cpu.signal);
      reuse = end.kind === "end" && end.end.memory <= LARGE_MEMORY;
      return end;
    } finally {
      this.#pool.giveBack(engine, { reuse });
    }
  }

  #files(tool: Tool, ctx: CallContext): HostFiles {
    const load = async () => {
      this.#scratchRoot ??= realpath(this.#deps.scratchRoot ?? tmpdir());
      const scratch = join(await this.#scratchRoot, `skillz-${crypto.randomUUID().slice(0, 13)}`);
      const { access, workingDirectory } = await this.#deps.loadAccess(tool, scratch, ctx);
      const rights = new Rights({ ...access, write: [...access.write, scratch] });
      const place = workingDirectory === undefined ? {} : { workingDirectory };
      return { preopens: await findPreopens({ access, scratch, ...place }), rights };
    };
    return new HostFiles({ load, fileBytes: tool.manifest.limits.file_bytes });
  }
}
