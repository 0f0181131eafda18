import assert from "node:assert/strict";
import { ENGINE_WORD, engineCommand } from "../../../src/run/wasm/engine_command.ts";
import { runProcess } from "../../../src/process/run.ts";
import { needs } from "../../support/needs.ts";
import { wasmBench } from "./_bench.ts";

Deno.test("engineCommand() is this very program when it is compiled, else Deno without permissions", () => {
  const compiled = engineCommand({ denoPath: "/bin/deno", env: {}, standalone: true });
  assert.deepEqual([compiled.command, compiled.args], [Deno.execPath(), [ENGINE_WORD]]);
  const plain = engineCommand({ denoPath: "/bin/deno", env: { A: "b" }, standalone: false });
  assert.equal(plain.command, "/bin/deno");
  assert.deepEqual(plain.env, { A: "b" });
  assert.ok(!plain.args.some((arg) => arg.startsWith("--allow") || arg === "-A"));
});

Deno.test("an engine gives up the permissions that it was started with", async () => {
  const engine = new URL("../../../src/run/wasm/engine/serve_engine.ts", import.meta.url).href;
  // `deno eval` has all permissions, as the compiled program has; an engine without a server ends at once.
  const code = `import { serveEngine } from ${JSON.stringify(engine)};
const states = async () => {
  const names = ["read", "write", "net", "env", "run", "ffi", "sys", "import"];
  return (await Promise.all(names.map(async (name) => (await Deno.permissions.query({ name })).state))).join();
};
console.error(await states());
await serveEngine();
console.error(await states());`;
  const result = await runProcess(
    { command: Deno.execPath(), args: ["eval", code], cwd: "/", env: { HOME: "/nowhere" } },
    { timeoutMs: 60_000, input: "" },
  );
  const [before = "", after = ""] = result.stderr.trim().split("\n").slice(-2);
  assert.deepEqual(before.split(","), Array.from({ length: 8 }, () => "granted"), result.stderr);
  assert.ok(!after.includes("granted"), after);
});

Deno.test({
  name: "a missing program for engines is told",
  ignore: needs("rustc"),
  async fn() {
    await using bench = await wasmBench({ engine: { command: "/nowhere/deno", args: [], env: {} } });
    const tool = await bench.probe();
    await assert.rejects(bench.do(tool, "print|x"), /Cannot start/);
  },
});
