import { tmpdir } from "node:os";
import { wait } from "../../base/wait.ts";
import { removeFolder } from "../../install/remove_folder.ts";
import type { RunningProcess } from "../../process/process.ts";
import { spawnProcess, type StrayCollector } from "../../process/spawn.ts";
import type { Isolation, Sandbox, SandboxedCommand } from "../../sandbox/sandbox.ts";
import type { ScriptPlace } from "./execute_params.ts";
import { type LaunchDeps, launchJob, type LaunchPlan } from "./launch.ts";
import { makeScratch } from "./scratch.ts";
import { ScriptProcess } from "./script_process.ts";

/** What {@linkcode launchScript} needs. */
export interface LauncherDeps extends LaunchDeps {
  /** Confines scripts. */
  readonly sandbox: Sandbox;
  /** Ends what ended scripts left behind. */
  readonly strays?: StrayCollector;
  /**
   * Folder for the private folders of calls.
   * @default the system's folder for temporary files
   */
  readonly scratchRoot?: string;
}

/** How long a script may take to end by itself once it is not needed any more. */
export interface EndOptions {
  /**
   * Time to end by itself after its standard input was closed.
   * @default 500
   */
  readonly patienceMs?: number;
}

/** A script that was started and confined, with all that was set up for it. */
export interface LiveScript extends AsyncDisposable {
  /** What it was started from. */
  readonly plan: LaunchPlan;
  /** What it is told about where it runs. */
  readonly place: ScriptPlace;
  /** What confines it. */
  readonly isolation: Isolation;
  /** The running interpreter, to be waited for and ended. */
  readonly process: RunningProcess;
  /** The conversation over its standard streams. */
  readonly talk: ScriptProcess;
  /** The confined command, for what the sandbox knows of a failure. */
  readonly command: SandboxedCommand;
  /** Lets it end by itself, then ends it with all its descendants, and removes what was set up. Harmless when repeated. */
  end(options?: EndOptions): Promise<void>;
}

/** Starts a planned script inside the sandbox; it waits for its first line then. */
export async function launchScript(
  plan: LaunchPlan,
  deps: LauncherDeps,
  options: { signal: AbortSignal },
): Promise<LiveScript> {
  const { signal } = options;
  await using undo = new AsyncDisposableStack();
  const scratch = await makeScratch(deps.scratchRoot ?? tmpdir());
  undo.defer(() => removeFolder(scratch));
  const { job, place } = await launchJob(plan, deps, { scratch, signal });
  const command = undo.use(await deps.sandbox.wrap(job, { signal }));
  signal.throwIfAborted();
  const hear: { talk?: ScriptProcess } = {};
  const process = undo.use(spawnProcess(command.spec, {
    onStderr: (line) => hear.talk?.stderr(line),
    ...(deps.strays === undefined ? {} : { strays: deps.strays }),
  }));
  command.started?.(process.pid);
  const talk = hear.talk = new ScriptProcess(process, {
    outputBytes: job.limits.output_bytes,
    ...(command.outputClosed === undefined ? {} : { outputClosed: command.outputClosed }),
  });
  const owned = undo.move();
  let ending: Promise<void> | undefined;
  const end = (options: EndOptions = {}) => ending ??= endScript(process, owned, options);
  return {
    plan,
    place,
    isolation: command.isolation,
    process,
    talk,
    command,
    end,
    [Symbol.asyncDispose]: () => end({ patienceMs: 0 }),
  };
}

/** Time between SIGTERM and SIGKILL for a script that does not end by itself. */
const STOP_GRACE_MS = 300;

async function endScript(
  process: RunningProcess,
  owned: AsyncDisposableStack,
  { patienceMs = 500 }: EndOptions,
): Promise<void> {
  await using _owned = owned;
  const closed = process.endInput();
  let ended = false;
  const status = process.status.then(() => ended = true);
  if (patienceMs > 0) await wait(patienceMs, { until: status });
  // What a script that ended by itself left behind is looked for when the process is disposed of, cheaply.
  if (!ended) await process.stop({ graceMs: STOP_GRACE_MS });
  await closed;
}
