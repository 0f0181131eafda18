import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ToolResult } from "../../../src/base/tool_result.ts";
import { resultText } from "../../../src/base/tool_result.ts";
import type { CallContext } from "../../../src/run/call_context.ts";
import type { Runner } from "../../../src/run/runner.ts";
import { engineCommand } from "../../../src/run/wasm/engine_command.ts";
import { createWasmRunner, type WasmRunnerDeps } from "../../../src/run/wasm/wasm_runner.ts";
import { resolveAccess } from "../../../src/sandbox/access.ts";
import { resolveLimits } from "../../../src/sandbox/limits.ts";
import type { Manifest, Tool } from "../../../src/tools/tool.ts";
import { compileRust } from "../../support/compile_rust.ts";
import { fakeContext } from "../../support/fake_caller.ts";
import { tempDir } from "../../support/temp_dir.ts";
import { testManifest } from "../../support/test_manifest.ts";

/** A runner over real engines, with a workspace and a tools folder of its own. */
export interface WasmBench extends AsyncDisposable {
  readonly root: string;
  readonly scratchRoot: string;
  readonly toolsDir: string;
  readonly runner: Runner;
  /** Saves a module as a tool. */
  tool(module: Uint8Array, manifest?: Partial<Manifest>): Promise<Tool>;
  /** The probe program as a tool. */
  probe(manifest?: Partial<Manifest>): Promise<Tool>;
  /** Has the probe do something. */
  do(tool: Tool, what: string, ctx?: CallContext): Promise<ToolResult>;
  /** The text of what the probe says. */
  say(tool: Tool, what: string): Promise<string>;
}

/** Makes a bench. */
export async function wasmBench(changes: Partial<WasmRunnerDeps> = {}): Promise<WasmBench> {
  const dir = await tempDir();
  const [root, scratchRoot, toolsDir] = ["root", "scratch", "tools"].map((name) => join(dir.path, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [root, scratchRoot, toolsDir]) await mkdir(path);
  const runner = createWasmRunner({
    engine: engineCommand({ denoPath: Deno.execPath(), env: { PATH: "/usr/bin:/bin", HOME: dir.path } }),
    secrets: { SKILLZ_KEY: "kéy", SKILLZ_OTHER: "other" },
    safeEnvironment: { PATH: "/usr/bin", LANG: "C.UTF-8" },
    scratchRoot,
    loadAccess: async (tool, scratch) => ({
      access: await resolveAccess({
        permissions: tool.manifest.permissions,
        defaultProfile: { read: ["$ROOTS"] },
        roots: [root],
        toolDirectory: tool.directory,
        scratch,
        home: dir.path,
        toolsDir,
        sandboxNetwork: false,
      }),
      workingDirectory: root,
    }),
    ...changes,
  });
  const bench: WasmBench = {
    root,
    scratchRoot,
    toolsDir,
    runner,
    async tool(module, manifest = {}) {
      const name = manifest.name ?? `t${crypto.randomUUID().slice(0, 8)}`;
      const directory = join(toolsDir, name);
      await mkdir(directory, { recursive: true });
      await writeFile(join(directory, manifest.entry_file ?? `${name}.wasm`), module);
      return {
        name,
        directory,
        hash: crypto.randomUUID(),
        manifest: testManifest(name, { tool_type: "wasm", limits: resolveLimits(), ...manifest }),
      };
    },
    probe: async (manifest) =>
      await bench.tool(
        await compileRust(await readFile(new URL("./fixtures/probe.rs", import.meta.url), "utf8")),
        manifest,
      ),
    do: (tool, what, ctx = fakeContext()) => runner.run(tool, { kind: "tool", arguments: { do: what } }, ctx),
    say: async (tool, what) => resultText(await bench.do(tool, what)),
    async [Symbol.asyncDispose]() {
      await runner[Symbol.asyncDispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
  return bench;
}
