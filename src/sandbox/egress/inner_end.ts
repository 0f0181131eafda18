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
  /** What takes Unix sockets from the command: a seccomp program, and the script that sets it where there is no perl. */
  readonly seal: { readonly program: string; readonly script: string };
  readonly signal: AbortSignal;
}

/**
 * The relay in perl where there is one (10 ms, 3 MB: it is on nearly every Linux), else in the Deno that runs the tools
 * (140 ms, 40 MB).
 */
export async function findInnerEnd(options: InnerEndOptions): Promise<InnerEnd> {
  const { programs, signal } = options;
  let why: unknown;
  for (const program of ["perl", "deno"] as const) {
    try {
      const { command, needs } = await programs.resolve(program, { signal });
      const relay = options.relays[program];
      const { seal } = options;
      const wrap = (program === "perl" ? wrapByPerl : wrapByDeno)(command, { relay, seal });
      return { needs: [...needs, relay, seal.program, seal.script], wrap };
    } catch (error) {
      signal.throwIfAborted();
      why = error;
    }
  }
  throw new SkillzError("unavailable", `Cannot let single hosts through: ${errorText(why)}`, {
    hint: "Install perl, or set SKILLZ_DENO",
  });
}

/** `prctl`, which sets a filter. */
const PRCTL = { x86_64: 157, aarch64: 167 } as const;

interface Scripts extends Pick<InnerEndOptions, "seal"> {
  readonly relay: string;
}

function wrapByPerl(perl: string, { relay, seal }: Scripts): InnerEnd["wrap"] {
  const number = String(PRCTL[Deno.build.arch]);
  return (
    command,
    { socketPath, ports },
  ) => [perl, relay, socketPath, ports.join(","), number, seal.program, ...command];
}

/**
 * The shell waits until the relay says that it listens, then becomes the command, by way of what seals it. The relay is
 * started by a subshell, so that the command has no child that it did not start, and is deaf to SIGTERM: it lives as long
 * as the namespace.
 */
const DENO_LAUNCH = [
  "deno=$1; relay=$2; socket=$3; ports=$4; script=$5; seal=$6; shift 6; ready=${TMPDIR:-/tmp}/.relay-$$",
  'flags="--quiet --no-prompt --no-config --no-lock --no-remote --no-npm --no-code-cache"',
  'mkfifo "$ready" || exit 126',
  '(trap "" TERM INT HUP; DENO_NO_UPDATE_CHECK=1 "$deno" run $flags --allow-ffi --allow-net ' +
  '"--allow-read=$socket" "--allow-write=$socket" "$relay" "$socket" "$ports" </dev/null >"$ready" 2>/dev/null &)',
  'read -r x <"$ready"; rm "$ready"',
  'exec "$deno" run $flags --allow-ffi "--allow-read=$seal" "$script" "$seal" "$@"',
].join("\n");

function wrapByDeno(deno: string, { relay, seal }: Scripts): InnerEnd["wrap"] {
  return (command, { socketPath, ports }) => {
    const own = [deno, relay, socketPath, ports.join(","), seal.script, seal.program];
    return ["/bin/sh", "-c", DENO_LAUNCH, "sh", ...own, ...command];
  };
}
