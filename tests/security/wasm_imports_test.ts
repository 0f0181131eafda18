import assert from "node:assert/strict";
import { resultText } from "../../src/base/tool_result.ts";
import { resolveLimits } from "../../src/sandbox/limits.ts";
import { createWasmRunner } from "../../src/run/wasm/wasm_runner.ts";
import { engineCommand } from "../../src/run/wasm/engine_command.ts";
import { fakeContext } from "../support/fake_caller.ts";
import { tempDir } from "../support/temp_dir.ts";
import { testManifest } from "../support/test_manifest.ts";

const WASI = "wasi_snapshot_preview1";
const text = (value: string) => [value.length, ...new TextEncoder().encode(value)];
const section = (id: number, ...body: number[]) => [id, body.length, ...body];

/** A module that imports one function of no parameters and ends at once. */
function importing(module: string, name: string): Uint8Array {
  return new Uint8Array([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, 1, 0x60, 0, 0),
    ...section(2, 1, ...text(module), ...text(name), 0, 0),
    ...section(3, 1, 0),
    ...section(5, 1, 0, 1),
    ...section(7, 2, ...text("memory"), 2, 0, ...text("_start"), 0, 1),
    ...section(10, 1, 2, 0, 0x0b),
  ]);
}

/** What other systems offer to modules, and what would reach the engine's own values. */
const FOREIGN: readonly [string, string][] = [
  [WASI, "sock_open"],
  [WASI, "sock_connect"],
  [WASI, "sock_getaddrinfo"],
  [WASI, "proc_spawn"],
  [WASI, "proc_exec"],
  [WASI, "path_chmod"],
  [WASI, "constructor"],
  [WASI, "__proto__"],
  [WASI, "toString"],
  ["env", "system"],
  ["env", "emscripten_run_script"],
  ["wasi_http", "request"],
  ["wasi:sockets/tcp", "connect"],
  ["__proto__", "toString"],
];

Deno.test("a module gets no functions but those of WASI: no sockets, programs or values of the engine", async () => {
  await using dir = await tempDir();
  await using runner = createWasmRunner({
    engine: engineCommand({ denoPath: Deno.execPath(), env: { PATH: "/usr/bin:/bin", HOME: dir.path } }),
    secrets: {},
    safeEnvironment: {},
    loadAccess: () => Promise.reject(new Error("nothing is granted")),
  });
  const run = async (module: Uint8Array) => {
    const manifest = testManifest("x", { tool_type: "wasm", limits: resolveLimits() });
    await Deno.writeFile(`${dir.path}/x.wasm`, module);
    const tool = { name: "x", directory: dir.path, hash: crypto.randomUUID(), manifest };
    return await runner.run(tool, { kind: "tool", arguments: {} }, fakeContext());
  };
  assert.equal((await run(importing(WASI, "sched_yield"))).isError, undefined);
  for (const [module, name] of FOREIGN) {
    const result = await run(importing(module, name));
    assert.equal(result.isError, true, name);
    assert.match(resultText(result), /is not part of wasi_snapshot_preview1/, name);
  }
});
