import { basename, dirname, isAbsolute, join } from "node:path";
import { findProgram } from "../process/find_program.ts";
import { runProcess } from "../process/run.ts";

/** Options of {@linkcode behindShim}. */
export interface ShimOptions {
  /** What the shim is asked with. */
  safeEnvironment: Readonly<Record<string, string>>;
  signal: AbortSignal;
}

/**
 * The program that a version manager's shim would start (pyenv, rbenv, nodenv, plenv, asdf, mise: all keep them in a
 * folder `shims` and answer `which NAME`); undefined when `path` is none or the manager does not know.
 */
export async function behindShim(path: string, options: ShimOptions): Promise<string | undefined> {
  const folder = dirname(path);
  if (basename(folder) !== "shims") return undefined;
  const root = dirname(folder);
  const manager = basename(root).replace(/^\./, "");
  const searched = [join(root, "bin"), join(root, "libexec"), options.safeEnvironment.PATH ?? ""].join(":");
  const program = await findProgram(manager, searched);
  if (program === undefined) return undefined;
  try {
    // Its own shim would have told it where its root is.
    const env = { ...options.safeEnvironment, [`${manager.toUpperCase()}_ROOT`]: root, ASDF_DATA_DIR: root };
    const spec = { command: program, args: ["which", basename(path)], cwd: "/", env };
    const { code, stdout } = await runProcess(spec, { signal: options.signal, timeoutMs: 20_000 });
    const found = stdout.trim();
    return code === 0 && isAbsolute(found) && dirname(found) !== folder ? found : undefined;
  } catch {
    options.signal.throwIfAborted();
    return undefined;
  }
}
