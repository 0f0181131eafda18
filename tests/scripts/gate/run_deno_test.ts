import { deepEqual, equal, match } from "node:assert/strict";
import { runDeno } from "../../../scripts/gate/run_deno.ts";
import { tempDir } from "../../support/temp_dir.ts";

const signal = new AbortController().signal;

Deno.test("runDeno() keeps both outputs and tells whether it went well", async () => {
  await using dir = await tempDir();
  const good = await runDeno(["eval", "console.log(1); console.error(2)"], { cwd: dir.path, signal });
  deepEqual([good.success, good.output.split("\n").sort().join("")], [true, "12"]);
  const bad = await runDeno(["eval", "Deno.exit(3)"], { cwd: dir.path, signal });
  equal(bad.success, false);
});

Deno.test("runDeno() ends the child when the signal aborts, also when it did before", async () => {
  await using dir = await tempDir();
  const sleep = ["eval", "setTimeout(() => {}, 600_000)"];
  equal((await runDeno(sleep, { cwd: dir.path, signal: AbortSignal.timeout(500) })).success, false);
  equal((await runDeno(sleep, { cwd: dir.path, signal: AbortSignal.abort() })).success, false);
});

Deno.test({
  name: "runDeno() does not wait for a process that the child left behind, it tells of it",
  ignore: Deno.build.os === "windows",
  async fn() {
    await using dir = await tempDir();
    const leave = `const child = new Deno.Command("sleep", { args: ["300"], detached: true }).spawn();
      child.unref();
      console.log(child.pid);`;
    const run = await runDeno(["eval", leave], { cwd: dir.path, signal });
    Deno.kill(Number.parseInt(run.output), "SIGKILL");
    equal(run.success, false);
    match(run.output, /outlived it/);
  },
});
