import { print } from "../print.ts";
import { type DenoRun, runDeno } from "./run_deno.ts";
import { readTestOutput } from "./test_report.ts";

/** A check that is no test: one command of this Deno that passes or fails as a whole. */
export interface Step {
  /** What it proves. */
  title: string;
  /** Arguments of `deno`. */
  args: readonly string[];
}

/** Options of {@linkcode Gate}. */
export interface GateOptions {
  /** The repository. */
  root: string;
  /** Ends everything that runs, with the cause as its reason. */
  signal: AbortSignal;
  /** Most time that one test file may take, in milliseconds. */
  fileLimitMs: number;
  /** Folder for temporary files of the tests. */
  tmp: string;
}

/** How many of the slowest files are told. */
const SLOWEST = 15;

/** Runs checks and test files, prints one line for each and the output of those that failed, and counts. */
export class Gate {
  readonly #options: GateOptions;
  #passed = 0;
  #failed = 0;
  readonly #skipped: string[] = [];
  readonly #times: { readonly file: string; readonly ms: number }[] = [];

  /** Makes a gate that has run nothing yet. */
  constructor(options: GateOptions) {
    this.#options = options;
  }

  /** Whether something failed so far. */
  get failed(): boolean {
    return this.#failed > 0;
  }

  /** Runs one check. */
  async step(step: Step): Promise<void> {
    const { root, signal } = this.#options;
    if (signal.aborted) return this.fail(step.title, reasonOf(signal));
    const run = await runDeno(step.args, { cwd: root, signal });
    if (run.success) this.#passed++;
    else this.#failed++;
    this.#line(run.success, step.title, run);
  }

  /** Runs one test file; `args` are further flags of `deno test`. */
  async testFile(file: string, args: readonly string[]): Promise<void> {
    const { root, signal, fileLimitMs, tmp } = this.#options;
    if (signal.aborted) return this.fail(file, `not run: ${reasonOf(signal)}`);
    const late = AbortSignal.timeout(fileLimitMs);
    const both = AbortSignal.any([signal, late]);
    const flags = ["test", "-A", "--frozen", "--sanitize-ops", "--sanitize-resources", ...args, file];
    const run = await runDeno(flags, { cwd: root, signal: both, env: { TMPDIR: tmp } });
    this.#times.push({ file, ms: run.ms });
    const filtered = args.some((arg) => arg.startsWith("--filter"));
    const report = readTestOutput(run.output, run.success);
    if (filtered && run.success && report.passed + report.skipped.length === 0) return;
    // A file in which nothing is tested is a mistake; so is one that was cut off after its last test had passed.
    const empty = report.passed + report.failed + report.skipped.length === 0;
    const failed = empty ? 1 : report.failed;
    this.#passed += report.passed;
    this.#failed += failed;
    this.#skipped.push(...report.skipped.map((name) => `${file}: ${name}`));
    const counts = [`${report.passed} passed`];
    if (failed > 0) counts.push(`${failed} failed`);
    if (report.skipped.length > 0) counts.push(`${report.skipped.length} skipped`);
    if (empty) counts.push("it holds no test");
    if (both.aborted) {
      const reason = signal.aborted
        ? reasonOf(signal)
        : `Limit of ${fileLimitMs / 1000} s for one file reached`;
      counts.push(`ended while running "${report.running ?? "(loading)"}": ${reason}`);
    }
    this.#line(failed === 0, `${file}  ${counts.join(", ")}`, run);
  }

  /** Counts something that could not even begin as failed. */
  fail(title: string, reason: string): void {
    this.#failed++;
    print(`FAILED  ${title}: ${reason}`);
  }

  /** Prints what took longest, the names of what was skipped and, as the last line, the count. */
  close(): void {
    const slowest = this.#times.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST);
    for (const { file, ms } of slowest) print(`slow  ${(ms / 1000).toFixed(1).padStart(6)} s  ${file}`);
    for (const name of this.#skipped) print(`skipped  ${name}`);
    const skipped = this.#skipped.length > 0 ? `, ${this.#skipped.length} skipped` : "";
    print(`${this.#passed} passed, ${this.#failed} failed${skipped}`);
  }

  #line(success: boolean, text: string, run: DenoRun): void {
    print(`${success ? "ok     " : "FAILED "} ${text}  (${(run.ms / 1000).toFixed(1)} s)`);
    if (!success) print(run.output.trimEnd().replace(/^/gm, "    | "));
  }
}

function reasonOf(signal: AbortSignal): string {
  return signal.reason instanceof Error ? signal.reason.message : String(signal.reason);
}
