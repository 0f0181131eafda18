import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ResolvedProgram } from "../sandbox/resolve_program.ts";
import { installFailure, type KnownFailure } from "./install_failure.ts";
import type { Installation } from "./installer.ts";
import type { JobResult } from "./job_runner.ts";
import { onlyVersions } from "./_only_versions.ts";
import { venvOf } from "./_venv.ts";

const KNOWN: readonly KnownFailure[] = [
  {
    says: /Because (\S+) was not found in the (?:package registry|cache)/,
    state: ([, name]) => `there is no Python package ${name}`,
    hint: "Check its name",
  },
  {
    says:
      /Because (?:there is no version of|only the following versions of) ([^\n]+?)(?: and you require| are available|,|\n)/,
    state: ([, wanted]) => `no version fits ${wanted}`,
    hint: "Ask for a version that exists",
  },
  {
    says: /Failed to build [`"]?([^\s`"]+)/,
    state: ([, name]) => `${name} has to be compiled, which fails here`,
    hint: "Ask for a version with a wheel for this machine, or install the compiler that it needs",
  },
  {
    says: /No solution found when resolving dependencies:?\s*(?:╰─▶|cause:)?\s*([^]*)/,
    state: ([, why = ""]) => `the packages exclude each other:\n${why.trim().slice(0, 800)}`,
    hint: "Ask for versions that go together",
  },
];

const COMMON = ["--no-config", "--no-progress", "--color=never"];

/** Makes a venv and installs with uv, which is many times quicker. */
export async function installWithUv(installation: Installation, uv: ResolvedProgram): Promise<string> {
  const { directory, dependencies, lock, interpreter } = installation;
  const venv = venvOf(directory);
  const step = async (args: readonly string[], net = false): Promise<string> => {
    const result = await run(installation, uv, { args: [...args, ...COMMON], net, shared: false });
    if (result.code !== 0) throw installFailure(result, { program: "uv", known: KNOWN });
    return result.stdout;
  };
  installation.progress("Making a Python environment");
  await step(["venv", "--no-project", "--relocatable", "--python", interpreter.command, venv.path]);
  const packages = dependencies.map(({ text }) => text);
  installation.progress(`Installing ${packages.join(", ")}`);
  const list = join(directory, "lock.txt");
  if (lock !== undefined) await writeFile(list, lock);
  const wanted = lock === undefined ? packages : ["--no-deps", "-r", list];
  const install = ["pip", "install", "--python", venv.python, ...wanted];
  const isReady = onlyVersions(lock) &&
    (await run(installation, uv, { args: [...install, "--no-build", ...COMMON], net: true, shared: true }))
        .code === 0;
  // What has to be built runs code of its own.
  if (!isReady) await step(install, true);
  return await step(["pip", "freeze", "--python", venv.python]);
}

async function run(
  installation: Installation,
  uv: ResolvedProgram,
  { args, net, shared }: { args: readonly string[]; net: boolean; shared: boolean },
): Promise<JobResult> {
  const { directory, interpreter, cache, timeoutMs, signal } = installation;
  const own = join(cache, "uv");
  return await installation.run({
    kind: "install",
    command: uv.command,
    // Who can write to the cache decides what other tools get: code of packages must not.
    args: shared ? args : [...args, "--no-cache"],
    cwd: directory,
    env: { ...uv.env, ...interpreter.env, UV_CACHE_DIR: own, UV_PYTHON_DOWNLOADS: "never" },
    write: shared ? [own] : [],
    needs: [...uv.needs, ...interpreter.needs],
    net,
    timeoutMs,
  }, {
    signal,
    onLine: (line) => {
      if (/^(Resolved|Prepared|Installed|\s*Building)\b/.test(line)) installation.progress(line.trim());
    },
  });
}
