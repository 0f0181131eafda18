/** The suite. Not in deno.json: whoever runs the server need not fetch what only this test uses. */
const SUITE = "npm:@modelcontextprotocol/conformance@0.2.0-alpha.12";

/** How often a scenario that failed among the others is run alone. */
const ALONE_TRIES = 4;

/** What the suite found in one scenario. */
export interface ScenarioOutcome {
  readonly passed: boolean;
  /** Its last line, or what else it printed. */
  readonly detail: string;
}

/** Runs every scenario that a version requires; outcomes by scenario. */
export async function runRequirements(url: string, version: string): Promise<Map<string, ScenarioOutcome>> {
  const output = await run(["server", "--url", url, "--requirements", version]);
  const summary = output.slice(output.indexOf("=== SUMMARY ==="));
  const outcomes = new Map<string, ScenarioOutcome>();
  for (const [detail, mark, name = ""] of summary.matchAll(/^([✓✗]) ([\w/-]+): .*$/gm)) {
    outcomes.set(name, { passed: mark === "✓", detail });
  }
  for (const [name, { passed }] of outcomes) {
    if (!passed) outcomes.set(name, await runAlone(url, name, { version }));
  }
  return outcomes;
}

/**
 * Some checks give a call half a second, which a machine under load misses at the first call of a tool. Alone, and
 * with its tools in use, a scenario has what it needs; a real fault fails each time.
 */
async function runAlone(
  url: string,
  name: string,
  { version }: { version: string },
): Promise<ScenarioOutcome> {
  for (let tries = 1;; tries++) {
    const outcome = await runScenario(url, name, ["--spec-version", version, "--force"]);
    if (outcome.passed || tries === ALONE_TRIES) return outcome;
  }
}

/** Runs one scenario. */
export async function runScenario(
  url: string,
  name: string,
  flags: readonly string[] = [],
): Promise<ScenarioOutcome> {
  const output = await run(["server", "--url", url, "--scenario", name, ...flags]);
  const totals = /Passed: (\d+)\/(\d+), (\d+) failed/.exec(output);
  const failures = output.indexOf("=== Failed Checks ===");
  const detail = failures < 0 ? output.slice(-2_000) : output.slice(failures).split("\n\n")[1] ?? "";
  return { passed: totals?.[3] === "0" && totals[1] !== "0", detail };
}

async function run(args: readonly string[]): Promise<string> {
  await fetchOnce();
  const { text } = await deno(["run", "-A", ...APART, "--cached-only", SUITE, ...args]);
  return text;
}

/** With neither the configuration nor the lock file of this project. */
const APART = ["--no-config", "--no-lock"];

// What is there already is taken as it is, so that the test works without a network too.
async function fetchOnce(): Promise<void> {
  const { success } = await deno(["cache", ...APART, "--cached-only", SUITE]);
  if (!success) await deno(["cache", ...APART, SUITE]);
}

async function deno(args: readonly string[]): Promise<{ success: boolean; text: string }> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...args],
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  return { success, text: decoder.decode(stdout) + decoder.decode(stderr) };
}
