/**
 * The gate: `deno task test`. Runs every check and every test; its last line is `N passed, N failed`.
 *
 * Usage: `deno task test [--no-tests] [--jobs N] [--filter TEXT] [FILE or FOLDER …]`; with a filter or paths only those
 * tests are run and none of the other checks. `deno task ok` is `--no-tests`.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { findTests } from "./gate/find_tests.ts";
import { Gate, type Step } from "./gate/gate.ts";
import { slowFirst } from "./gate/slow_first.ts";
import { print } from "./print.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
/** Test files that run at the same time. */
const JOBS = 2;
/** After this the gate ends whatever still runs, names it, and fails. An idle machine needs a quarter of it. */
const LIMIT_MINUTES = 60;
/** Most minutes for one test file. */
const FILE_LIMIT_MINUTES = 10;

const STEPS: readonly Step[] = [
  { title: "format", args: ["fmt", "--check"] },
  { title: "lint, with our own rules", args: ["lint"] },
  {
    title: "types, also of examples in comments",
    args: ["check", "--frozen", "--doc", "main.ts", "src", "tests", "scripts"],
  },
  { title: "a comment at every export", args: ["run", "-A", "--frozen", "scripts/check_docs.ts"] },
  { title: "publishable, without slow types", args: ["publish", "--dry-run", "--allow-dirty"] },
];

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: {
      "no-tests": { type: "boolean", default: false },
      "jobs": { type: "string", default: String(JOBS) },
      "filter": { type: "string" },
    },
    allowPositionals: true,
  });
  const part = values.filter !== undefined || positionals.length > 0;
  const stop = new AbortController();
  const timer = setTimeout(
    () => stop.abort(new Error(`Limit of ${LIMIT_MINUTES} minutes reached`)),
    LIMIT_MINUTES * 60_000,
  );
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    Deno.addSignalListener(name, () => stop.abort(new Error(`Stopped by ${name}`)));
  }
  const tmp = await mkdtemp(join(tmpdir(), "skillz-gate-"));
  const gate = new Gate({ root: ROOT, signal: stop.signal, fileLimitMs: FILE_LIMIT_MINUTES * 60_000, tmp });
  try {
    if (!part) {
      print("== Checks");
      for (const step of STEPS) await gate.step(step);
    }
    if (!values["no-tests"]) {
      print("== Tests");
      const files = slowFirst(
        await findTests(ROOT, part && positionals.length > 0 ? positionals : ["tests"]),
      );
      // Types were checked above, once for all.
      const args = part ? [] : ["--no-check"];
      if (values.filter !== undefined) args.push(`--filter=${values.filter}`);
      const worker = async () => {
        for (let file = files.shift(); file; file = files.shift()) await gate.testFile(file, args);
      };
      await Promise.all(Array.from({ length: Math.max(1, Number(values.jobs)) }, worker));
    }
  } catch (error) {
    gate.fail("the gate itself", error instanceof Error ? error.message : String(error));
  } finally {
    clearTimeout(timer);
    await rm(tmp, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }).catch(() => {});
  }
  print("== Result");
  gate.close();
  return gate.failed ? 1 : 0;
}

if (import.meta.main) Deno.exit(await main());
