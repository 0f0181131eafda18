import assert from "node:assert/strict";
import { spawnProcess } from "../../src/process/spawn.ts";
import { type Limits, resolveLimits } from "../../src/sandbox/limits.ts";
import { readUsage, type WatchedLimit, watchTree } from "../../src/sandbox/watch_tree.ts";
import { needs } from "../support/needs.ts";
import { openBench, TEST_PATH } from "../support/sandboxed.ts";
import { tempDir } from "../support/temp_dir.ts";
import { waitFor } from "../support/wait_for.ts";

const GROW = "b=[]\nwhile True: b.append(bytearray(16<<20))";

Deno.test({
  name: "wrap() names the limit that ended a tool: memory, CPU time, file size, open files, processes",
  ignore: needs("bwrap", "python3"),
  async fn() {
    await using bench = await openBench("bubblewrap");
    const run = async (code: string, limits: Partial<Limits>) => {
      const result = await bench.run({ command: ["python3", "-c", code], limits });
      assert.notEqual(result.code, 0, code);
      return result.explanation ?? result.stderr;
    };
    assert.match(await run(GROW, { memory_mb: 96 }), /^memory_mb 96 exceeded/);
    assert.match(await run("while True: pass", { cpu_ms: 1000 }), /^cpu_ms 1000 exceeded/);
    const fill = `f=open("/tmp/big","wb")\nwhile True: f.write(b"x"*65536); f.flush()`;
    assert.match(await run(fill, { file_bytes: 1 << 20 }), /^file_bytes 1048576 exceeded/);
    const files = "k=[]\nwhile True: k.append(open('/dev/null'))";
    assert.match(await run(files, { open_files: 32 }), /^open_files 32 exceeded/);
    const forks =
      "import os,time\nfor i in range(100):\n  if os.fork()==0:\n    time.sleep(60)\ntime.sleep(60)";
    assert.match(await run(forks, { processes: 12 }), /^processes 12 exceeded/);
  },
});

Deno.test({
  name: "wrap() lets a tool be that stays within its limits",
  ignore: needs("bwrap", "python3"),
  async fn() {
    await using bench = await openBench("bubblewrap");
    const code = `import threading
b = bytearray(64 << 20)
open("/tmp/f", "wb").write(b"x" * (1 << 19))
k = [open("/dev/null") for _ in range(20)]
t = [threading.Thread(target=lambda: None) for _ in range(8)]
[x.start() for x in t]; [x.join() for x in t]
print("fine")`;
    const limits = { memory_mb: 128, cpu_ms: 20_000, file_bytes: 1 << 20, open_files: 32, processes: 12 };
    const result = await bench.run({ command: ["python3", "-c", code], limits });
    assert.equal(result.stdout, "fine\n", result.stderr);
  },
});

Deno.test("wrap() bounds kernel limits without any sandbox too, but no CPU time of a long-lived server", async () => {
  await using bench = await openBench("none");
  const script = "ulimit -n; ulimit -t; ulimit -c";
  const limits = { open_files: 77, cpu_ms: 5000 };
  const tool = await bench.run({ command: ["/bin/sh", "-c", script], limits });
  assert.equal(tool.stdout, "77\n5\n0\n");
  const server = await bench.run({ command: ["/bin/sh", "-c", script], limits, kind: "server" });
  assert.equal(server.stdout, "77\nunlimited\n0\n");
  assert.ok(!server.isolation.limits.includes("cpu_ms") && tool.isolation.limits.includes("cpu_ms"));
});

/** Runs a script unconfined under the watch alone; returns the limit that it hit. */
async function watch(
  args: readonly string[],
  limits: Partial<Record<WatchedLimit, number>>,
): Promise<WatchedLimit | undefined> {
  const [command = ""] = args;
  const spec = { command, args: args.slice(1), cwd: "/", env: { PATH: TEST_PATH } };
  const limit = AbortSignal.timeout(60_000);
  await using child = spawnProcess(spec, { stdin: "null", signal: limit });
  let hit: WatchedLimit | undefined;
  const over = new AbortController();
  const watching = watchTree(child.pid, {
    limits: resolveLimits(limits),
    watched: Object.keys(limits) as WatchedLimit[],
    onHit: (name) => hit = name,
    signal: over.signal,
  });
  await child.status;
  over.abort();
  await watching;
  assert.ok(!limit.aborted, "it was not ended by the watch");
  return hit;
}

Deno.test({
  name:
    "watchTree() kills a tree whose resident memory, tasks, or CPU time are too many, where no cgroup does",
  ignore: needs("python3") || Deno.build.os !== "linux",
  async fn() {
    assert.equal(await watch(["python3", "-c", GROW], { memory_mb: 128 }), "memory_mb");
    const spin = "import os\nif os.fork()==0: os.setsid()\nwhile True: pass";
    assert.equal(await watch(["python3", "-c", spin], { cpu_ms: 700 }), "cpu_ms");
    assert.equal(
      await watch(["sh", "-c", "for i in 1 2 3 4 5 6 7 8; do sleep 50 & done; wait"], { processes: 6 }),
      "processes",
    );
    assert.equal(await watch(["sh", "-c", "sleep 0.3; exit 0"], { memory_mb: 512, processes: 6 }), undefined);
  },
});

Deno.test({
  name: "watchTree() does not take the address space for memory: V8 reserves gigabytes",
  ignore: Deno.build.os !== "linux",
  async fn() {
    await using dir = await tempDir();
    const spec = {
      command: Deno.execPath(),
      args: ["eval", "await Deno.stdin.read(new Uint8Array(1))"],
      cwd: "/",
      env: { HOME: dir.path },
    };
    await using child = spawnProcess(spec);
    const usage = await waitFor(async () => {
      const now = await readUsage(child.pid);
      return now.memoryBytes > 20e6 ? now : undefined;
    });
    assert.ok(usage && usage.memoryBytes < 300e6, String(usage?.memoryBytes));
    assert.deepEqual(usage?.pids, [child.pid]);
  },
});

Deno.test({
  name: "wrap() leaves no control group behind, also when a grandchild outlives the call",
  ignore: needs("bwrap"),
  async fn() {
    await using bench = await openBench("bubblewrap");
    await bench.run({ command: ["sh", "-c", "setsid sleep 600 >/dev/null 2>&1 & exit 0"] });
    await using open = await openBench("none");
    await open.run({ command: ["/bin/sh", "-c", "setsid sleep 601 >/dev/null 2>&1 & exit 0"] });
    for (const folder of ["/sys/fs/cgroup/pids", "/sys/fs/cgroup/memory"]) {
      const left = await Array.fromAsync(Deno.readDir(folder)).catch(() => []);
      assert.deepEqual(
        left.map((entry) => entry.name).filter((name) => name.startsWith(`skillz-${Deno.pid}-`)),
        [],
      );
    }
  },
});
