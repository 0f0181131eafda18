import type { Config } from "../config/config.ts";
import { examineMachine, renderFindings } from "./doctor.ts";
import { writeOutput } from "./output.ts";
import { withApp } from "./with_app.ts";

/** `skillz doctor`: prints what this machine offers; exit code 1 when something is broken. */
export async function runDoctor(config: Config): Promise<number> {
  return await withApp(config, async ({ programs, sandbox, store }, signal) => {
    const findings = await examineMachine({
      programs,
      sandbox,
      safeEnvironment: config.safeEnvironment,
      toolsDir: config.toolsDir,
      problems: config.problems,
      roots: config.roots,
      tools: () => Promise.resolve({ loaded: store.list().length, broken: store.broken() }),
    }, signal);
    await writeOutput(`${renderFindings(findings)}\n`);
    return findings.some((finding) => finding.state === "broken") ? 1 : 0;
  });
}
