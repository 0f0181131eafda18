import { SkillzError } from "../base/errors.ts";
import { MARK_NAME } from "./mark.ts";
import type { CommandSpec } from "./process.ts";

/** Options of {@linkcode startChild}. */
export interface StartChildOptions {
  /** Value of the marker variable. */
  mark: string;
  /** Whether it gets a standard input. */
  stdin: "piped" | "null";
}

/** Starts the bare child: all streams piped, clean environment, a process group of its own. */
export function startChild(spec: CommandSpec, { mark, stdin }: StartChildOptions): Deno.ChildProcess {
  try {
    return new Deno.Command(spec.command, {
      args: [...spec.args],
      cwd: spec.cwd,
      env: { ...spec.env, [MARK_NAME]: mark },
      clearEnv: true,
      detached: spec.ownSession !== true,
      stdin,
      stdout: "piped",
      stderr: "piped",
    }).spawn();
  } catch (error) {
    throw startError(spec, error);
  }
}

function startError(spec: CommandSpec, cause: unknown): SkillzError {
  const action = `Cannot start "${spec.command}"`;
  const text = cause instanceof Error ? cause.message : String(cause);
  if (cause instanceof Deno.errors.NotFound) {
    if (text.includes("No such cwd")) {
      return new SkillzError("unavailable", `${action}: its working folder "${spec.cwd}" does not exist`, {
        cause,
      });
    }
    if (/[\\/]/.test(spec.command)) {
      const state = "there is no such program, or the interpreter that its first line names is missing";
      return new SkillzError("unavailable", `${action}: ${state}`, { cause });
    }
    return new SkillzError("unavailable", `${action}: the program is not found on PATH`, {
      cause,
      hint: `Install ${spec.command}, or give the absolute path of the program`,
    });
  }
  if (cause instanceof Deno.errors.PermissionDenied) {
    const state = "it is not an executable file, or its working folder may not be entered";
    return new SkillzError("unavailable", `${action}: ${state}`, { cause });
  }
  if (/nul byte/i.test(text)) {
    return new SkillzError("invalid_input", `${action}: an argument or variable holds a NUL byte`, { cause });
  }
  if (/argument list too long|os error 7\b/i.test(text)) {
    const state = "arguments and environment are larger than the system allows";
    return new SkillzError("limit", `${action}: ${state}`, { cause });
  }
  // The system's own words, without the arguments.
  return new SkillzError("unavailable", `${action}: ${text.replace(/^Failed to spawn '[^']*': /, "")}`, {
    cause,
  });
}
