import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { installBench, TIMEOUT_MS } from "./_bench.ts";

const options = { timeoutMs: TIMEOUT_MS };
const deno = (...dependencies: string[]) =>
  ({ language: "deno", interpreter: "deno", dependencies }) as const;

Deno.test("deno: what was installed loads from the cache alone, and nothing else does", async () => {
  await using bench = await installBench();
  const environment = await bench.store.ensure(deno("npm:left-pad@1.3.0"), options);
  const flags = ["run", "--no-config", "--cached-only", `--lock=${environment.lockFile}`, "--frozen"];
  const [good, bad] = [join(bench.path, "good.ts"), join(bench.path, "bad.ts")];
  await writeFile(good, 'import pad from "npm:left-pad@1.3.0"; console.log(pad("a", 3, "-"));');
  await writeFile(bad, 'import "npm:is-odd@3.0.1";');
  assert.equal(await bench.use(environment, [...flags, good], Deno.execPath()), "--a");
  assert.match(await bench.use(environment, [...flags, bad], Deno.execPath()), /is-odd/);
  assert.match(environment.lock, /left-pad@1\.3\.0/);
});

Deno.test("B45 deno: failures are short and leave nothing", async () => {
  await using bench = await installBench();
  await assert.rejects(
    bench.store.ensure(deno("npm:left-pad@99"), options),
    /no version of left-pad fits 99/,
  );
  await assert.rejects(
    bench.store.ensure(deno("npm:no-such-package-zzz-123"), options),
    /no npm package no-such/,
  );
  assert.deepEqual(await bench.left(), []);
});
