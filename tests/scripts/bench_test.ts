import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isReached, limitOf, summarise } from "../../scripts/bench/row.ts";
import { COLUMNS, rowLine } from "../../scripts/bench/table.ts";
import { tempDir } from "../support/temp_dir.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

async function bench(...args: string[]): Promise<{ code: number; lines: string[] }> {
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--frozen", join(ROOT, "scripts", "bench", "main.ts"), ...args],
    stderr: "inherit",
  }).output();
  return { code, lines: new TextDecoder().decode(stdout).trimEnd().split("\n") };
}

Deno.test("bench prints a table of medians beside their floors, and writes the same as JSON", async () => {
  await using dir = await tempDir();
  const json = join(dir.path, "figures.json");
  const { code, lines } = await bench(
    "--quick",
    "--only",
    "start,list",
    "--json",
    json,
    "--compiled",
    "none",
  );
  assert.equal(code, 0, lines.join("\n"));
  const [machine = "", load = "", head = "", ...rows] = lines;
  assert.match(machine, /^\d+ × .+ GB, .+ Deno \d/);
  assert.match(load, /^load [\d.]+ [\d.]+ [\d.]+; .*main\.ts/);
  for (const column of COLUMNS) assert.ok(head.includes(column), `${head} lacks ${column}`);
  assert.match(rows.pop() ?? "", /^load at the end /);
  const report = JSON.parse(await Deno.readTextFile(json));
  assert.deepEqual(report.failures, []);
  assert.equal(report.rows.length, rows.length);
  for (const [at, row] of report.rows.entries()) {
    assert.ok(rows[at]?.startsWith(row.name), `${rows[at]} is not ${row.name}`);
    if (row.notBuilt) continue;
    assert.ok(row.min <= row.median && row.median <= row.max && row.median > 0, JSON.stringify(row));
    assert.equal(row.samples.length, row.n);
  }
  const named = (text: string) => report.rows.find(({ name }: { name: string }) => name.includes(text));
  assert.ok(named("initialize, new folder").floor.median > 0);
  assert.equal(named("initialize, compiled").notBuilt, true);
  assert.ok(named("first tools/list").limit > 0);
});

Deno.test("bench measures nothing when a group is unknown", async () => {
  const { code, lines } = await bench("--only", "start,speed");
  assert.equal(code, 2);
  assert.match(lines.join("\n"), /no group named speed; there are start, list, /);
});

Deno.test("bench fails when an answer is wrong", async () => {
  await using dir = await tempDir();
  const loop = join(ROOT, "scripts", "bench", "bare_loop.ts");
  const json = join(dir.path, "figures.json");
  const command = `${Deno.execPath()} run -A ${loop}`;
  const { code, lines } = await bench("--quick", "--only", "memory", "--json", json, "--command", command);
  assert.equal(code, 1, lines.join("\n"));
  assert.match(lines.join("\n"), /memory: FAILED: Cannot measure memory get: the answer is /);
});

Deno.test("summarise() takes the middle, or the mean of the two in the middle", () => {
  assert.deepEqual(summarise([3, 1, 2]), { median: 2, min: 1, max: 3, n: 3 });
  assert.deepEqual(summarise([4, 1, 2, 3]), { median: 2.5, min: 1, max: 4, n: 4 });
});

Deno.test("limitOf() is the most lenient of what is to be reached", () => {
  const row = { name: "x", unit: "ms", samples: [70], floor: [30] } as const;
  assert.equal(limitOf({ ...row, reach: { limit: 60, floorTimes: 2.5 } }), 75);
  assert.equal(limitOf({ ...row, reach: { limit: 60, floorPlus: 5 } }), 60);
  assert.equal(limitOf({ ...row, reach: { limit: 500, floorTimes: 2, atLeast: true } }), 60);
  assert.equal(limitOf(row), undefined);
  assert.equal(isReached({ ...row, reach: { limit: 60 } }), false);
  assert.equal(isReached({ ...row, reach: { limit: 70 } }), true);
  assert.equal(isReached({ ...row, reach: { limit: 80, atLeast: true } }), false);
});

Deno.test("rowLine() says what is over, what is fine, and what is not there", () => {
  const row = { name: "x", unit: "ms", samples: [70] } as const;
  assert.match(rowLine({ ...row, reach: { limit: 60 } }), / over$/);
  assert.match(rowLine({ ...row, reach: { limit: 80 } }), / ok$/);
  assert.match(rowLine({ name: "x", notBuilt: true }), / not built$/);
});
