/** What one run of `deno test` says of itself. */
export interface TestReport {
  /** Tests that passed. */
  passed: number;
  /** Tests that failed; a file that could not be loaded counts as one. */
  failed: number;
  /** Names of the tests that were ignored. */
  skipped: string[];
  /** The test that was running when the output ends, if any. */
  running?: string;
}

const SUMMARY = /^(?:ok|FAILED) \| (\d+) passed(?: \([^)]*\))? \| (\d+) failed/gm;

/** Reads the output of `deno test` with its default reporter; an end without summary, or with exit code ≠ 0, is a failure. */
export function readTestOutput(output: string, success: boolean): TestReport {
  const summary = [...output.matchAll(SUMMARY)].at(-1);
  const passed = Number(summary?.[1] ?? 0);
  const failed = Number(summary?.[2] ?? 0);
  const report: TestReport = {
    passed,
    failed: failed === 0 && (!success || !summary) ? 1 : failed,
    skipped: [],
  };
  for (const line of output.split("\n")) {
    const [, name, result] = /^(\S.*?) \.\.\.(?: (ok|FAILED|ignored)\b.*)?\s*$/.exec(line) ?? [];
    if (name === undefined) continue;
    if (result === undefined) report.running = name;
    else if (result === "ignored") report.skipped.push(name);
    else if (name === report.running) delete report.running;
  }
  if (summary) delete report.running;
  return report;
}
