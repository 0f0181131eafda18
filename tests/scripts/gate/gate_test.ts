import { deepEqual, equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { tempDir } from "../../support/temp_dir.ts";
import { ROOT } from "../../support/repository.ts";

/** Runs a gate of its own over the given test files and returns what it prints. */
async function gateOver(
  files: Record<string, string>,
  limits = { file: 60_000, all: 60_000 },
): Promise<string[]> {
  await using dir = await tempDir();
  for (const [name, text] of Object.entries(files)) await Deno.writeTextFile(join(dir.path, name), text);
  const driver = `
    import { Gate } from ${JSON.stringify(`${ROOT}scripts/gate/gate.ts`)};
    const signal = AbortSignal.timeout(${limits.all});
    const gate = new Gate({ root: Deno.cwd(), signal, fileLimitMs: ${limits.file}, tmp: Deno.cwd() });
    await gate.step({ title: "sound", args: ["eval", "1"] });
    for (const file of ${JSON.stringify(Object.keys(files))}) await gate.testFile(file, ["--no-check"]);
    gate.close();
    Deno.exit(gate.failed ? 1 : 0);
  `;
  await Deno.writeTextFile(join(dir.path, "driver.ts"), driver);
  const args = ["run", "-A", "--no-check", "driver.ts"];
  const { stdout, code } = await new Deno.Command(Deno.execPath(), { args, cwd: dir.path }).output();
  return [...new TextDecoder().decode(stdout).trimEnd().split("\n"), `exit ${code}`];
}

const GOOD = `Deno.test("good", () => {});`;

Deno.test("Gate counts checks and tests, and its last line says so", async () => {
  deepEqual((await gateOver({ "a_test.ts": GOOD, "b_test.ts": GOOD })).slice(-2), [
    "3 passed, 0 failed",
    "exit 0",
  ]);
});

Deno.test("Gate shows the output of what failed, and of nothing else", async () => {
  const lines = await gateOver({
    "a_test.ts": `Deno.test("talks", () => console.log("quiet please"));`,
    "b_test.ts": `Deno.test("bad", () => { console.log("told"); throw new Error("Because"); }); ${GOOD}`,
  });
  deepEqual(lines.slice(-2), ["3 passed, 1 failed", "exit 1"]);
  ok(!lines.some((line) => line.includes("quiet please")));
  ok(lines.some((line) => line.includes("told")) && lines.some((line) => line.includes("Because")));
});

Deno.test("Gate names what was skipped", async () => {
  const lines = await gateOver({
    "a_test.ts": `${GOOD} Deno.test({ name: "later", ignore: true, fn() {} });`,
  });
  deepEqual(lines.slice(-3), ["skipped  a_test.ts: later", "2 passed, 0 failed, 1 skipped", "exit 0"]);
});

for (
  const [what, source] of [
    ["can't be loaded", `throw new Error("Broken");`],
    ["holds no test", `export const nothing = 1;`],
    ["ends the process", `Deno.test("quits", () => Deno.exit(0));`],
    ["leaks a resource", `Deno.test("leaks", async () => { await Deno.open("a_test.ts"); });`],
  ]
) {
  Deno.test(`Gate counts a file as failed when it ${what}`, async () => {
    deepEqual((await gateOver({ "a_test.ts": source ?? "" })).slice(-2), ["1 passed, 1 failed", "exit 1"]);
  });
}

const HANGS = `${GOOD} Deno.test("hangs", () => new Promise((done) => setTimeout(done, 600_000)));`;

Deno.test("Gate ends a file that takes too long, names the test, and goes on", async () => {
  const lines = await gateOver({ "a_test.ts": HANGS, "b_test.ts": GOOD }, { file: 5_000, all: 60_000 });
  const told = lines.find((line) => line.startsWith("FAILED")) ?? "";
  match(told, /a_test\.ts .*ended while running "hangs": Limit of 5 s for one file reached/);
  deepEqual(lines.slice(-2), ["2 passed, 1 failed", "exit 1"]);
});

Deno.test("Gate ends everything at its own limit and counts what was not run as failed", async () => {
  const lines = await gateOver({ "a_test.ts": HANGS, "b_test.ts": GOOD }, { file: 60_000, all: 8_000 });
  equal(lines.filter((line) => line.startsWith("FAILED")).length, 2);
  deepEqual(lines.slice(-2), ["1 passed, 2 failed", "exit 1"]);
});
