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
 * compiled binary, whose files can't be started) Deno checks instead. Throws what `findDeno` throws.
 */
export async function findCompiler(findDeno: () => Promise<string>): Promise<TypeCompiler> {
  const native = Deno.build.standalone ? undefined : await findNative().catch(() => undefined);
  return native === undefined
    ? { kind: "deno", command: await findDeno() }
    : { kind: "tsc", command: native };
}

async function findNative(): Promise<string | undefined> {
  // Only a package of the module graph is installed, hence the import; it loads nothing but a version number.
  await import("typescript");
  const home = import.meta.resolve("typescript");
  if (!home.startsWith("file:")) return undefined;
  const manifest = `@typescript/typescript-${platform()}-${arch()}/package.json`;
  const found = createRequire(home).resolve(manifest);
  const command = join(dirname(found), "lib", platform() === "win32" ? "tsc.exe" : "tsc");
  await stat(command);
  return command;
}
