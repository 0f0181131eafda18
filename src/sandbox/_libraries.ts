import { runProcess } from "../process/run.ts";

/** Shared libraries outside the usual search path that a binary is linked to, as the loader finds them. */
export async function libraries(
  path: string,
  options: { safeEnvironment: Readonly<Record<string, string>>; signal: AbortSignal },
): Promise<string[]> {
  const env = options.safeEnvironment;
  const ldd = {
    command: "ldd",
    args: [path],
    cwd: "/",
    env: { PATH: env.PATH ?? "/usr/bin:/bin", LC_ALL: "C" },
  };
  try {
    const { stdout } = await runProcess(ldd, { signal: options.signal, timeoutMs: 10_000 });
    return [...stdout.matchAll(/=> (\/.*?) \(0x/g)].flatMap(([, found]) => found ?? []);
  } catch {
    options.signal.throwIfAborted();
    // No ldd (macOS), or a static binary: nothing to add.
    return [];
  }
}
