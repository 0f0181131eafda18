import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { errorText, SkillzError } from "../base/errors.ts";
import { runProcess } from "../process/run.ts";
import { locateEnforcer } from "./_locate_enforcer.ts";
import type { Enforcer } from "./enforcer.ts";
import type { Kit } from "./kit.ts";
import { FILTER_FD, launch } from "./launch.ts";
import { DEFAULT_LIMITS } from "./limits.ts";
import type { ProgramResolver } from "./resolve_program.ts";
import { planView } from "./view.ts";

/** Options of {@linkcode probeEnforcer}. */
export interface ProbeOptions {
  kit: Kit;
  /** Where its temporary files go. */
  tempRoot: string;
  programs: ProgramResolver;
  signal: AbortSignal;
}

/** Where nothing else is granted: prints what it could reach although it must not. */
const PROBE = `
printf 'in:%s\\n' "$1"
[ -e "$2" ] && echo 'sees files outside'
[ -e "/proc/$3" ] && echo 'sees processes outside'
(: > "$4/written") 2>/dev/null || echo 'has no private folder'
exit 0`;

/**
 * Runs a program under the enforcer and checks that it really is confined: an enforcer that gives up quietly (firejail in
 * a container does) must not pass. Returns the path of the enforcer's program.
 * Throws `SkillzError("unavailable")` with cause and cure.
 */
export async function probeEnforcer(
  enforcer: Enforcer,
  { kit, programs, signal, tempRoot }: ProbeOptions,
): Promise<string> {
  const folder = await mkdtemp(join(tempRoot, "skillz-probe-"));
  try {
    const scratch = await mkdtemp(join(folder, "scratch-"));
    const canary = join(folder, "canary");
    await writeFile(canary, "");
    const token = crypto.randomUUID();
    const spec = {
      command: "/bin/sh",
      args: ["-c", PROBE, "sh", token, canary, String(Deno.pid), scratch],
      cwd: scratch,
      env: { PATH: "/usr/bin:/bin", TMPDIR: scratch },
    };
    const access = { net: [], read: [], write: [scratch], run: [], sys: [], ffi: false, import: [] };
    const job = { kind: "script", spec, access, limits: DEFAULT_LIMITS, scratch } as const;
    const view = await planView(job, { kit, needs: [], network: false });
    const program = await locateEnforcer(enforcer, { programs, signal });
    const filter = kit.filters?.offline;
    const command = enforcer.command({
      program,
      view,
      unixSockets: false,
      ...(filter ? { filterFd: FILTER_FD } : {}),
    });
    const launched = launch(command, {
      limits: DEFAULT_LIMITS,
      boundCpu: true,
      inherited: kit.inherited,
      ...(filter ? { filter } : {}),
    });
    const { code, stdout, stderr } = await runProcess({ ...spec, ...launched }, {
      signal,
      timeoutMs: 20_000,
    });
    const lines = stdout.split("\n");
    if (!lines.includes(`in:${token}`)) {
      throw new Error(lastLine(stderr) ?? `Its program ended with exit code ${code}`);
    }
    const holes = lines.filter((line) => /^(sees|has) /.test(line));
    if (holes.length > 0) throw new Error(`What runs in it ${holes.join(" and ")}`);
    return program;
  } catch (cause) {
    signal.throwIfAborted();
    throw new SkillzError("unavailable", `Cannot use the sandbox "${enforcer.mode}": ${errorText(cause)}`, {
      hint: `${enforcer.cure}; SKILLZ_SANDBOX chooses another sandbox`,
      cause,
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function lastLine(text: string): string | undefined {
  return text.trim().split("\n").findLast((line) => line.trim() !== "")?.trim().slice(0, 300);
}
