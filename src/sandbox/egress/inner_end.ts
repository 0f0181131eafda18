import { errorText, SkillzError } from "../../base/errors.ts";
import type { ProgramResolver } from "../resolve_program.ts";

/** Starts the inner end of the proxy, then becomes the command that uses it. */
export interface InnerEnd {
  /** Paths that must be seen inside. */
  readonly needs: readonly string[];
  /** The command line around another one. `ports`: that of the proxy, then those that are passed through. */
  wrap(
    command: readonly string[],
    place: { socketPath: string; ports: readonly number[] },
  ): readonly string[];
}

/** Where {@linkcode findInnerEnd} looks. */
export interface InnerEndOptions {
  readonly programs: ProgramResolver;
  /** The relays as files, by the program that runs them. */
  readonly relays: Readonly<Record<"perl" | "deno", string>>;
  readonly signal: AbortSignal;
}

/**
 * The relay in perl where there is one (10 ms, 3 MB: it is on nearly every Linux), else in the Deno that runs the tools
 * (70 ms, 40 MB).
 */
export async function findInnerEnd(options: InnerEndOptions): Promise<InnerEnd> {
  const { programs, signal } = options;
  let why: unknown;
  for (const program of ["perl", "deno"] as const) {
    try {
      const { command, needs } = await programs.resolve(program, { signal });
      const relay = options.relays[program];
      const wrap = (program === "perl" ? wrapByPerl : wrapByDeno)(command, relay);
      return { needs: [...needs, relay], wrap };
    } catch (error) {
      signal.throwIfAborted();
      why = error;
    }
  }
  throw new SkillzError("unavailable", `Cannot let single hosts through: ${errorText(why)}`, {
    hint: "Install perl, or set SKILLZ_DENO",
  });
}

function wrapByPerl(perl: string, relay: string): InnerEnd["wrap"] {
  return (command, { socketPath, ports }) => [perl, relay, socketPath, ports.join(","), ...command];
}

/**
 * The shell waits until the relay says that it listens, then becomes the command. The relay is started by a subshell, so
 * that the command has no child that it did not start, and is deaf to SIGTERM: it lives as long as the namespace.
 */
const DENO_LAUNCH = [
  'deno=$1; relay=$2; socket=$3; ports=$4; shift 4; ready=${TMPDIR:-/tmp}/.relay-$$; mkfifo "$ready" || exit 126',
  '(trap "" TERM INT HUP; DENO_NO_UPDATE_CHECK=1 "$deno" run --quiet --no-prompt --no-config --no-lock --no-remote ' +
  '--no-npm --no-code-cache --allow-net "--allow-read=$socket" "--allow-write=$socket" "$relay" "$socket" "$ports" ' +
  '</dev/null >"$ready" 2>/dev/null &)',
  'read -r x <"$ready"; rm "$ready"; exec "$@"',
].join("\n");

function wrapByDeno(deno: string, relay: string): InnerEnd["wrap"] {
  return (
    command,
    { socketPath, ports },
  ) => ["/bin/sh", "-c", DENO_LAUNCH, "sh", deno, relay, socketPath, ports.join(","), ...command];
}
