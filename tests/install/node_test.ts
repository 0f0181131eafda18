import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { needs } from "../support/needs.ts";
import { installBench, TIMEOUT_MS } from "./_bench.ts";

const ignore = needs("node", "npm");
const options = { timeoutMs: TIMEOUT_MS };
const node = (...dependencies: string[]) =>
  ({ language: "node", interpreter: "node", dependencies }) as const;
const CODE = `import pad from "left-pad";
import { createRequire } from "node:module";
const require = createRequire(import.meta.url);
const { version } = require("left-pad/package.json");
console.log(pad("a", 3, "-"), require("left-pad")("b", 2, "-"), version);
try { await import("not-installed"); } catch (error) { console.log(error.code); }
`;

Deno.test({
  name: "npm: import and require find the packages, scoped ones too; a lock brings back the same versions",
  ignore,
  async fn() {
    await using bench = await installBench();
    const script = join(bench.path, "tool.mjs");
    await writeFile(script, CODE);
    const old = await bench.store.ensure(node("left-pad@1.2.0", "@types/node@20"), options);
    assert.equal(await bench.use(old, [script], "node"), "--a -b 1.2.0\nERR_MODULE_NOT_FOUND");
    const types = join(old.directory, "node_modules/@types/node/package.json");
    assert.match(JSON.parse(await readFile(types, "utf8")).version, /^20\./);
    // Its conflicting version lives beside it.
    const other = await bench.store.ensure(node("left-pad@1.3.0"), options);
    assert.match(await bench.use(other, [script], "node"), /1\.3\.0/);
    const fresh = await bench.storeAt(join(bench.path, "second")).ensure({
      ...node("left-pad@1.2.0", "@types/node@20"),
      lock: old.lock,
    }, options);
    assert.equal(fresh.lock, old.lock);
    assert.match(await bench.use(fresh, [script], "node"), /1\.2\.0/);
  },
});

Deno.test({
  name: "B45 npm: failures are short and leave nothing",
  ignore,
  async fn() {
    await using bench = await installBench();
    await assert.rejects(bench.store.ensure(node("left-pad@99"), options), /no version fits left-pad@99/);
    await assert.rejects(
      bench.store.ensure(node("no-such-package-zzz-123"), options),
      /no npm package no-such-package-zzz-123$/,
    );
    assert.deepEqual(await bench.left(), []);
  },
});
