import assert from "node:assert/strict";
import { readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { needs } from "../support/needs.ts";
import { installBench, TIMEOUT_MS } from "./_bench.ts";

const ignore = needs("uv", "python3");
const options = { timeoutMs: TIMEOUT_MS };
const python = (...dependencies: string[]) =>
  ({ language: "python", interpreter: "python3", dependencies }) as const;

Deno.test({
  name: "uv: numpy, extras, conflicting versions beside each other, a moved TOOLS_DIR",
  ignore,
  async fn() {
    await using bench = await installBench();
    const both = await bench.store.ensure(python("numpy", "requests[socks]==2.31.0"), options);
    const code = "import numpy, socks, requests; print(int(numpy.arange(4).sum()), requests.__version__)";
    assert.equal(await bench.use(both, ["-c", code]), "6 2.31.0");
    const other = await bench.store.ensure(python("requests==2.32.3"), options);
    assert.equal(await bench.use(other, ["-c", "import requests; print(requests.__version__)"]), "2.32.3");
    const moved = join(bench.path, "my tools");
    await rename(bench.toolsDir, moved);
    const again = await bench.storeAt(moved).ensure(python("numpy", "requests[socks]==2.31.0"), options);
    assert.equal(await bench.use(again, ["-c", code]), "6 2.31.0");
    const script = join(again.directory, "venv/bin/normalizer");
    assert.match(await bench.use({ directory: "" }, ["--version"], script), /^Charset-Normalizer/);
  },
});

Deno.test({
  name: "B45 uv: failures are short and leave nothing",
  ignore,
  async fn() {
    await using bench = await installBench();
    await assert.rejects(
      bench.store.ensure(python("no-such-package-zzz-123"), options),
      /no Python package no-such-package-zzz-123/,
    );
    await assert.rejects(bench.store.ensure(python("six==999"), options), /no version fits six==999/);
    await assert.rejects(
      bench.store.ensure(python("requests==2.31.0", "urllib3==1.20"), options),
      /exclude each other:\nBecause requests==2.31.0 depends on urllib3/,
    );
    assert.deepEqual(await bench.left(), []);
  },
});

Deno.test({
  name: "two at once make one environment",
  ignore,
  async fn() {
    await using bench = await installBench();
    const all = await Promise.all(
      Array.from({ length: 4 }, () => bench.storeAt(bench.toolsDir).ensure(python("six"), options)),
    );
    assert.equal(new Set(all.map(({ directory }) => directory)).size, 1);
    assert.equal((await bench.left()).length, 1);
    assert.deepEqual((await readdir(join(bench.toolsDir, ".envs", ".locks"))).length, 1);
  },
});
