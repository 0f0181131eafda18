import assert from "node:assert/strict";
import { chmod, cp, mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SkillzError } from "../../src/base/errors.ts";
import { needs } from "../support/needs.ts";
import { waitFor } from "../support/wait_for.ts";
import { installBench, TIMEOUT_MS } from "./_bench.ts";

const ignore = needs("python3");
const VERSION = "import six; print(six.__version__)";

/** PATH without uv, so that pip is used. */
const PIP_ONLY = (Deno.env.get("PATH") ?? "").split(":").filter((folder) => {
  try {
    Deno.statSync(join(folder, "uv"));
    return false;
  } catch {
    return true;
  }
}).join(":");

const python = (...dependencies: string[]) =>
  ({ language: "python", interpreter: "python3", dependencies }) as const;

Deno.test({
  name:
    "B43 B44 B45 pip: own venv, identical sets shared, failures and cancelling leave nothing, a moved TOOLS_DIR works",
  ignore,
  async fn() {
    // What the user has set up for an own Python must not lead astray.
    const env = { PIP_USER: "1", PIP_TARGET: "/tmp/skillz-nowhere", PYTHONPATH: "/tmp/skillz-nowhere" };
    await using bench = await installBench({ path: PIP_ONLY, env });
    const told: string[] = [];
    const options = { timeoutMs: TIMEOUT_MS, progress: (message: string) => void told.push(message) };
    const old = await bench.store.ensure(python("six==1.16.0"), options);
    assert.equal(old.lock.trim(), "six==1.16.0");
    assert.equal(await bench.use(old, ["-c", VERSION]), "1.16.0");
    assert.ok(told.some((line) => /^Installing collected packages/.test(line)), told.join("\n"));

    assert.deepEqual(await bench.store.ensure(python("SIX==1.16.0"), options), old);

    // Another version lives beside it.
    const other = await bench.store.ensure(python("six==1.17.0"), options);
    assert.equal(await bench.use(other, ["-c", VERSION]), "1.17.0");
    assert.equal(await bench.use(old, ["-c", VERSION]), "1.16.0");

    const before = await bench.left();
    await assert.rejects(
      bench.store.ensure(python("no-such-package-zzz-123"), options),
      /no Python package no-such-package-zzz-123/,
    );
    await assert.rejects(
      bench.store.ensure(python("six==999"), options),
      /no version fits six==999, the newest are .*1\.17\.0/,
    );
    await assert.rejects(bench.store.ensure(python("--index-url=http://x"), options), /option/);
    assert.deepEqual(await bench.left(), before);

    const cancel = new AbortController();
    const cancelled = bench.store.ensure(python("numpy"), {
      signal: cancel.signal,
      timeoutMs: TIMEOUT_MS,
      progress: (message) => {
        if (/^(Collecting|Downloading)/.test(message)) {
          cancel.abort(new SkillzError("cancelled", "Cannot go on"));
        }
      },
    });
    await assert.rejects(cancelled, /Cannot go on/);
    assert.deepEqual(await bench.left(), before);
    await waitFor(async () => !(await processesIn(bench.path)).length, { timeoutMs: 20_000 });

    // Scripts hold the path of their Python; TOOLS_DIR moves to a path with a blank.
    const moved = join(bench.path, "my tools");
    await rename(bench.toolsDir, moved);
    const again = await bench.storeAt(moved).ensure(python("six==1.16.0"), options);
    assert.ok(again.directory.startsWith(moved));
    assert.equal(
      await bench.use(again, ["-c", `${VERSION}; import sys; print(sys.prefix)`]),
      `1.16.0\n${moved}/.envs/${again.directory.split("/").at(-1)}/venv`,
    );

    // A copied tool brings its lock and gets the same versions, whatever is newest.
    const fresh = bench.storeAt(join(bench.path, "second"));
    await cp(join(moved, ".cache"), join(bench.path, "second/.cache"), {
      recursive: true,
      verbatimSymlinks: true,
    });
    const locked = await fresh.ensure({ ...python("six"), lock: old.lock }, options);
    assert.equal(await bench.use(locked, ["-c", VERSION]), "1.16.0");
  },
});

/** Command lines of living processes that name a path. */
async function processesIn(path: string): Promise<string[]> {
  if (Deno.build.os !== "linux") return [];
  const found = [];
  for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
    const line = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    if (line.includes(path)) found.push(line);
  }
  return found;
}

Deno.test({
  name: "B43 pip: a Python without ensurepip is told with the package that brings it",
  ignore: Deno.build.os === "windows",
  async fn() {
    await using bench = await installBench();
    const bin = join(bench.path, "bin");
    await mkdir(bin);
    await writeFile(
      join(bin, "python3"),
      `#!/bin/sh
echo 'The virtual environment was not created successfully because ensurepip is not
available.  On Debian/Ubuntu systems, you need to install the python3-venv
package using the following command.

    apt install python3.11-venv

Failing command: /x/venv/bin/python3'
exit 1
`,
    );
    await chmod(join(bin, "python3"), 0o755);
    await using poor = await installBench({ path: `${bin}:/bin` });
    await assert.rejects(poor.store.ensure(python("six"), { timeoutMs: TIMEOUT_MS }), (error: unknown) => {
      assert.ok(error instanceof SkillzError);
      assert.equal(error.code, "unavailable");
      assert.match(error.hint ?? "", /apt-get install python3\.11-venv/);
      return true;
    });
    assert.deepEqual(await poor.left(), []);
  },
});
