import { SkillzError } from "../base/errors.ts";
import type { CommandSpec } from "../process/process.ts";
import { runProcess, type RunResult } from "../process/run.ts";
import { gitFailure } from "./git_failure.ts";

/** How git is run. */
export interface GitOptions {
  /** The whole environment besides what keeps git quiet: PATH, proxies, the agent of ssh. */
  readonly env: Readonly<Record<string, string>>;
  /** An empty folder that stands for the user's home: no settings, no passwords, nothing of the repository's. */
  readonly home: string;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Most time for one command, in milliseconds. */
  readonly timeoutMs: number;
}

/** What one command of git needs. */
export interface GitCall {
  /** Handed over as they are, the command first. */
  readonly args: readonly string[];
  /** Folder to start in. */
  readonly cwd: string;
  /** What is done, after "Cannot". */
  readonly what: string;
  /** What it reads; nothing when absent. */
  readonly input?: string;
}

/** Nothing of the user's settings, no question to anybody, no program that a repository names. */
const SETTINGS: Readonly<Record<string, string>> = {
  GIT_ALLOW_PROTOCOL: "https:http:ssh:file",
  GIT_ASKPASS: "true",
  GIT_CONFIG_GLOBAL: Deno.build.os === "windows" ? "NUL" : "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_LFS_SKIP_SMUDGE: "1",
  GIT_SSH_COMMAND: "ssh -oBatchMode=yes -oConnectTimeout=15",
  GIT_TERMINAL_PROMPT: "0",
  LC_ALL: "C",
  SSH_ASKPASS: "true",
  SSH_ASKPASS_REQUIRE: "never",
};
const FLAGS = ["core.hooksPath=/dev/null", "core.fsmonitor=false", "credential.helper=", "gc.auto=0"]
  .flatMap((setting) => ["-c", setting]);

/**
 * Runs one command of git to its end.
 *
 * @throws `SkillzError`: `denied` when the host wants to know who asks, `not_found`, `unavailable` for the network,
 * `timeout`, `failed` for all else.
 */
export async function git({ args, cwd, what, input }: GitCall, options: GitOptions): Promise<RunResult> {
  const spec: CommandSpec = {
    command: "git",
    args: [...FLAGS, ...args],
    cwd,
    // ssh takes the user's own home from the system.
    env: { ...options.env, HOME: options.home, ...SETTINGS },
  };
  try {
    const result = await runProcess(spec, {
      timeoutMs: options.timeoutMs,
      signal: options.signal,
      stdoutLimit: 16 * 1024 * 1024,
      ...(input === undefined ? {} : { input }),
    });
    if (result.code === 0) return result;
    throw gitFailure(what, result.stderr);
  } catch (error) {
    if (!(error instanceof SkillzError) || error.code !== "timeout" || options.signal.aborted) throw error;
    throw new SkillzError("timeout", `Cannot ${what}: git took longer than ${options.timeoutMs / 1000} s`, {
      cause: error,
      hint:
        "Either the size of the repository is too much, the network is too slow, or the host waits for an " +
        "authentication that can't be given here; give a greater timeout (in seconds), or clone it yourself into " +
        "repos/OWNER/NAME of TOOLS_DIR",
    });
  }
}
