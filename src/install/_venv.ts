import { join } from "node:path";

const BIN = Deno.build.os === "windows" ? "Scripts" : "bin";
const PYTHON = Deno.build.os === "windows" ? "python.exe" : "python";

/** The venv in an environment's folder. */
export function venvOf(directory: string): { path: string; bin: string; python: string } {
  const path = join(directory, "venv");
  const bin = join(path, BIN);
  return { path, bin, python: join(bin, PYTHON) };
}
