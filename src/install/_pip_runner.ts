import { mkdir, rename, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { SkillzError } from "../base/errors.ts";
import { sha256 } from "../base/hash.ts";
import { runPython } from "./_run_python.ts";
import { venvOf } from "./_venv.ts";
import { installFailure } from "./install_failure.ts";
import type { Installation } from "./installer.ts";
import type { JobResult } from "./job_runner.ts";
import { removeFolder } from "./remove_folder.ts";

/** A venv that holds pip and nothing else, made once for each Python. */
export async function pipRunner(installation: Installation): Promise<ReturnType<typeof venvOf>> {
  const { cache, interpreter } = installation;
  const folder = join(cache, "pip-runner");
  const directory = join(folder, (await sha256(interpreter.command)).slice(0, 16));
  const runner = venvOf(directory);
  if (await stat(runner.python).then(() => true, () => false)) return runner;
  await mkdir(folder, { recursive: true });
  installation.progress("Making pip ready");
  const aside = join(folder, `.${crypto.randomUUID()}.tmp`);
  await mkdir(aside);
  try {
    const args = ["-m", "venv", venvOf(aside).path];
    const made = await runPython(installation, interpreter.command, { args, cwd: aside });
    if (made.code !== 0) throw venvFailure(made, installation);
    // What is left of one whose Python was removed.
    await removeFolder(directory);
    await rename(aside, directory).catch(async (error) => {
      // Another server was quicker.
      if (!await stat(runner.python).then(() => true, () => false)) throw error;
    });
    return runner;
  } finally {
    await removeFolder(aside);
  }
}

function venvFailure(result: JobResult, { interpreter }: Installation): SkillzError {
  const said = `${result.stderr}\n${result.stdout}`;
  if (!/ensurepip|No module named '?venv/.test(said)) {
    return installFailure(result, { program: "venv", known: [] });
  }
  const named = /apt(?:-get)? install (\S+)/.exec(said)?.[1];
  const version = /python(3\.\d+)/.exec(basename(interpreter.command))?.[1] ?? "3";
  return new SkillzError(
    "unavailable",
    "Cannot install the dependencies: this Python can't make environments, its module ensurepip is missing",
    { hint: `On Debian and Ubuntu: apt-get install ${named ?? `python${version}-venv`}; or install uv` },
  );
}
