import assert from "node:assert/strict";
import { join } from "node:path";
import { SkillzError } from "../../src/base/errors.ts";
import { lockFile } from "../../src/base/file_lock.ts";
import { tempDir } from "../support/temp_dir.ts";

/** A child that takes the lock, says so, and holds it until it is killed. */
function holder(path: string): Deno.ChildProcess {
  const module = new URL("../../src/base/file_lock.ts", import.meta.url).href;
  const code = `const { lockFile } = await import(${JSON.stringify(module)});
    globalThis.lock = await lockFile(${JSON.stringify(path)});
    await Deno.stdout.write(new TextEncoder().encode("held"));
    await new Promise((resolve) => setTimeout(resolve, 600_000));`;
  return new Deno.Command(Deno.execPath(), { args: ["eval", code], stdout: "piped", stderr: "inherit" })
    .spawn();
}

Deno.test("lockFile() lets one holder in at a time", async () => {
  await using dir = await tempDir();
  const path = join(dir.path, "lock");
  let inside = 0;
  let most = 0;
  await Promise.all(Array.from({ length: 20 }, async () => {
    await using _lock = await lockFile(path);
    most = Math.max(most, ++inside);
    await Deno.stat(path);
    inside--;
  }));
  assert.equal(most, 1);
});

Deno.test("lockFile() waits for another process, and gets the lock when that is killed", async () => {
  await using dir = await tempDir();
  const path = join(dir.path, "lock");
  const child = holder(path);
  try {
    const reader = child.stdout.getReader();
    assert.equal(new TextDecoder().decode((await reader.read()).value), "held");
    await reader.cancel();
    await assert.rejects(
      () => lockFile(path, { timeoutMs: 60 }),
      (error) => error instanceof SkillzError && error.code === "timeout" && /60 ms/.test(error.message),
    );
  } finally {
    child.kill("SIGKILL");
    await child.status;
  }
  await using _lock = await lockFile(path);
});

Deno.test("lockFile() stops waiting when the signal aborts", async () => {
  await using dir = await tempDir();
  const path = join(dir.path, "lock");
  await using _lock = await lockFile(path);
  const controller = new AbortController();
  const waiting = lockFile(path, { signal: controller.signal });
  controller.abort(new Error("Enough"));
  await assert.rejects(waiting, /Enough/);
});

Deno.test("lockFile() frees the lock once when disposed twice", async () => {
  await using dir = await tempDir();
  const path = join(dir.path, "lock");
  const first = await lockFile(path);
  await first[Symbol.asyncDispose]();
  await using _second = await lockFile(path, { timeoutMs: 1000 });
  await first[Symbol.asyncDispose]();
  await assert.rejects(() => lockFile(path, { timeoutMs: 20 }), { code: "timeout" });
});
