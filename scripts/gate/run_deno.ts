/** Options of {@linkcode runDeno}. */
export interface RunDenoOptions {
  /** Ends the child and its process group at once. */
  signal: AbortSignal;
  /** Folder to start in. */
  cwd: string;
  /** Variables on top of our own environment. */
  env?: Record<string, string>;
}

/** What a child of the gate left behind. */
export interface DenoRun {
  /** Whether it ended by itself with exit code 0. */
  success: boolean;
  /** Both of its outputs in the order in which they came, without colours. */
  output: string;
  /** How long it took, in milliseconds. */
  ms: number;
}

/** Time for the last output to arrive after the end of the child, in milliseconds. */
const PIPES_MS = 3_000;

/** Runs this very Deno (which need not be on PATH) and keeps what it prints. Never throws for what the child does. */
export async function runDeno(args: readonly string[], options: RunDenoOptions): Promise<DenoRun> {
  const start = performance.now();
  const child = new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd: options.cwd,
    env: { ...options.env, NO_COLOR: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
    // A group of its own, so that whatever a hanging test has started in it goes with it.
    detached: true,
  }).spawn();
  const kill = () => killGroup(child.pid);
  options.signal.addEventListener("abort", kill, { once: true });
  if (options.signal.aborted) kill();
  const outputs = [child.stdout.getReader(), child.stderr.getReader()];
  const chunks: Uint8Array[] = [];
  const collected = Promise.all(outputs.map(async (reader) => {
    for (let read = await reader.read(); !read.done; read = await reader.read()) chunks.push(read.value);
  }));
  const { success } = await child.status;
  options.signal.removeEventListener("abort", kill);
  kill();
  // A process that left the group and outlives the child holds its pipes open: that is a leak, not a reason to wait.
  const late = Promise.withResolvers<"late">();
  const timer = setTimeout(() => late.resolve("late"), PIPES_MS);
  const leak = await Promise.race([collected, late.promise]) === "late";
  clearTimeout(timer);
  await Promise.all(outputs.map((reader) => reader.cancel()));
  await collected;
  const text = new TextDecoder().decode(await new Blob(chunks as BlobPart[]).arrayBuffer());
  return {
    success: success && !leak && !options.signal.aborted,
    output: text.replace(/^(?:Check|Download|Initialize) .*\n/gm, "") +
      (leak ? "\nA process that it started has outlived it and holds its output open\n" : ""),
    ms: performance.now() - start,
  };
}

function killGroup(pid: number): void {
  try {
    Deno.kill(Deno.build.os === "windows" ? pid : -pid, "SIGKILL");
  } catch {
    // Nothing is left of it, which is what is wanted.
  }
}
