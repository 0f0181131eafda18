import { stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { arch, platform } from "node:os";

/** A program that checks types. `tsc` is the native compiler (about 0.1 s), `deno` the fallback (about 1 s). */
export interface TypeCompiler {
  /** How it is called, and how its findings are read. */
  readonly kind: "tsc" | "deno";
  /** Absolute path. */
  readonly command: string;
}

/**
 * Finds the native TypeScript compiler among this program's npm packages; where it is missing (another platform, a
 * compiled binary, whose embedded files can't be started) the given Deno checks instead.
 */
export async function findCompiler(denoPath: string): Promise<TypeCompiler> {
  const compiled = `@typescript/typescript-${platform()}-${arch()}`;
  try {
    // Only a package of the module graph is installed, hence the import; it loads nothing but a version number.
    await import("typescript");
    const home = import.meta.resolve("typescript");
    if (!home.startsWith("file:")) return { kind: "deno", command: denoPath };
    const found = createRequire(home).resolve(`${compiled}/package.json`);
    const command = join(dirname(found), "lib", platform() === "win32" ? "tsc.exe" : "tsc");
    await stat(command);
    return { kind: "tsc", command };
  } catch {
    return { kind: "deno", command: denoPath };
  }
}
