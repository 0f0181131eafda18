import assert from "node:assert/strict";
import { link, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { resultText } from "../../../src/base/tool_result.ts";
import { resolveLimits } from "../../../src/sandbox/limits.ts";
import type { Manifest } from "../../../src/tools/tool.ts";
import { needs } from "../../support/needs.ts";
import { type WasmBench, wasmBench } from "./_bench.ts";

const ignore = needs("rustc");
const BOTH: Partial<Manifest> = { permissions: { read: ["$ROOTS"], write: ["$ROOTS"] } };

Deno.test({
  name: "a module reads, writes, appends, seeks, renames and lists in a granted folder",
  ignore,
  async fn() {
    await using bench = await wasmBench();
    const tool = await bench.probe(BOTH);
    assert.equal(await bench.say(tool, "write|a.txt|hellö"), "written");
    assert.equal(await readFile(join(bench.root, "a.txt"), "utf8"), "hellö");
    assert.equal(await bench.say(tool, `read|${bench.root}/a.txt`), "hellö");
    assert.equal(await bench.say(tool, "append|b.txt|xy"), "xyxy");
    assert.equal(await bench.say(tool, "seek|c.txt"), "789 01ab4");
    assert.equal(await bench.say(tool, "rename|a.txt|d.txt"), "renamed");
    assert.equal(await bench.say(tool, "mkdir|deep/er"), "made");
    assert.equal(await bench.say(tool, "write|deep/../deep/er/e|1"), "written");
    assert.equal(await bench.say(tool, "list|."), "b.txt c.txt d.txt deep/");
    assert.equal(
      await bench.say(tool, "stat|deep"),
      "4096 true".replace("4096", String((await Deno.stat(join(bench.root, "deep"))).size)),
    );
    assert.equal(await bench.say(tool, "rmdir|deep"), "removed");
    assert.equal(await bench.say(tool, "remove|d.txt"), "removed");
    assert.deepEqual((await readdir(bench.root)).sort(), ["b.txt", "c.txt"]);
  },
});

Deno.test({
  name: "a folder of 3000 entries is listed whole, and 2 MB are read whole",
  ignore,
  async fn() {
    await using bench = await wasmBench();
    const tool = await bench.probe(BOTH);
    await mkdir(join(bench.root, "many"));
    await Promise.all(
      Array.from({ length: 3000 }, (_, i) => writeFile(join(bench.root, "many", `file-${i}`), "")),
    );
    assert.equal((await bench.say(tool, "list|many")).split(" ").length, 3000);
    await writeFile(join(bench.root, "big"), "x".repeat(2_000_000));
    assert.equal((await bench.say(tool, "read|big")).length, 2_000_000);
  },
});

Deno.test({
  name: "without permissions the workspace is read-only, and the failure names the line to add",
  ignore,
  async fn() {
    await using bench = await wasmBench();
    const tool = await bench.probe();
    await writeFile(join(bench.root, "a.txt"), "hi");
    assert.equal(await bench.say(tool, "read|a.txt"), "hi");
    for (
      const work of [
        "write|a.txt|1",
        "write|new|1",
        "remove|a.txt",
        "mkdir|x",
        "append|a.txt|1",
        "rename|a.txt|b",
      ]
    ) {
      const result = await bench.do(tool, work);
      assert.equal(result.isError, true, work);
      assert.match(resultText(result), /Not granted: permissions\.write: \["/, work);
    }
    assert.equal(await readFile(join(bench.root, "a.txt"), "utf8"), "hi");
  },
});

Deno.test({
  name: "a module with empty permissions sees its own folder and /tmp, nothing else",
  ignore,
  async fn() {
    await using bench = await wasmBench();
    const tool = await bench.probe({ permissions: {} });
    await writeFile(join(bench.root, "a.txt"), "hi");
    assert.equal((await bench.do(tool, `read|${bench.root}/a.txt`)).isError, true);
    assert.match(await bench.say(tool, `list|${tool.directory}`), /\.wasm/);
    assert.equal((await bench.do(tool, `write|${tool.directory}/x|1`)).isError, true);
    assert.equal(await bench.say(tool, "write|/tmp/x|1"), "written");
    assert.deepEqual(await readdir(bench.scratchRoot), [], "the private folder is gone after the call");
    const other = await bench.probe();
    assert.equal((await bench.do(tool, `list|${other.directory}`)).isError, true);
  },
});

Deno.test({
  name: "nothing leads out of a granted folder: not .., not links, not absolute paths",
  ignore,
  async fn() {
    await using bench = await wasmBench();
    const tool = await bench.probe(BOTH);
    await plantLinks(bench);
    const attacks = [
      "read|../outside/secret",
      "read|in/../../outside/secret",
      "read|link-out",
      "read|folder-out/secret",
      "read|in/up/outside/secret",
      "list|folder-out",
      "write|link-out|gone",
      "write|folder-out/new|gone",
      "write|dangling|gone",
      "stat|link-out",
      "rename|link-in/secret|x",
      "remove|folder-out/secret",
      `read|${bench.root}/../outside/secret`,
      `read|${bench.toolsDir}/../outside/secret`,
      "symlink|/etc/passwd|planted",
      "symlink|../outside|planted",
      "read|loop",
    ];
    for (const attack of attacks) {
      const result = await bench.do(tool, attack);
      assert.equal(result.isError, true, `${attack}: ${resultText(result)}`);
      assert.doesNotMatch(resultText(result), /TOP-SECRET/, attack);
    }
    assert.equal(await readFile(join(bench.root, "../outside/secret"), "utf8"), "TOP-SECRET");
    assert.deepEqual(await readdir(join(bench.root, "../outside")), ["secret"]);
    // The same inside is allowed.
    assert.equal(await bench.say(tool, "read|link-in/plain"), "inside");
    assert.equal(await bench.say(tool, "read|in/../in/plain"), "inside");
    assert.equal(await bench.say(tool, "symlink|in/plain|planted"), "linked");
    assert.equal(await bench.say(tool, "read|planted"), "inside");
  },
});

async function plantLinks(bench: WasmBench): Promise<void> {
  const at = (path: string) => join(bench.root, path);
  await mkdir(at("../outside"));
  await writeFile(at("../outside/secret"), "TOP-SECRET");
  await mkdir(at("in"));
  await writeFile(at("in/plain"), "inside");
  await symlink(at("../outside/secret"), at("link-out"));
  await symlink("../outside", at("folder-out"));
  await symlink("../..", at("in/up"));
  await symlink("../outside/not-there", at("dangling"));
  await symlink("in", at("link-in"));
  await symlink("loop", at("loop"));
}

Deno.test({
  name:
    "a granted file is reached alone; a hidden folder stays out of sight, also when its parent is renamed",
  ignore,
  async fn() {
    await using bench = await wasmBench({
      loadAccess: () =>
        Promise.resolve({
          access: {
            net: [],
            read: [join(bench.root, "one/file")],
            write: [join(bench.root, "open")],
            hidden: [join(bench.root, "open/parent/hidden")],
            run: [],
            sys: [],
            ffi: false,
            import: [],
          },
        }),
    });
    const tool = await bench.probe();
    const at = (path: string) => join(bench.root, path);
    for (const path of ["one", "open", "open/parent", "open/parent/hidden"]) await mkdir(at(path));
    for (const path of ["one/file", "one/other", "open/parent/hidden/key"]) await writeFile(at(path), path);
    assert.equal(await bench.say(tool, `read|${at("one/file")}`), "one/file");
    assert.equal((await bench.do(tool, `read|${at("one/other")}`)).isError, true);
    assert.equal((await bench.do(tool, `list|${at("one")}`)).isError, true);
    assert.equal(await bench.say(tool, `list|${at("open/parent")}`), "");
    assert.equal((await bench.do(tool, `read|${at("open/parent/hidden/key")}`)).isError, true);
    assert.equal((await bench.do(tool, `rename|${at("open/parent")}|${at("open/p")}`)).isError, true);
  },
});

Deno.test({
  name: "no file grows beyond limits.file_bytes",
  ignore,
  async fn() {
    await using bench = await wasmBench();
    const tool = await bench.probe({ ...BOTH, limits: resolveLimits({ file_bytes: 1000 }) });
    assert.equal(await bench.say(tool, "grow|a|1000"), "written");
    assert.match(await bench.say(tool, "grow|b|1001"), /File too large/);
  },
});

Deno.test({
  name: "a pipe or a device is refused instead of waited for",
  ignore: ignore || Deno.build.os === "windows",
  async fn() {
    await using bench = await wasmBench();
    const tool = await bench.probe(BOTH);
    await new Deno.Command("mkfifo", { args: [join(bench.root, "pipe")] }).output();
    assert.equal((await bench.do(tool, "read|pipe")).isError, true);
    assert.equal((await bench.do(tool, "write|pipe|1")).isError, true);
    // A hard link is the file itself.
    await writeFile(join(bench.root, "a"), "hi");
    await link(join(bench.root, "a"), join(bench.root, "b"));
    assert.equal(await bench.say(tool, "read|b"), "hi");
  },
});
