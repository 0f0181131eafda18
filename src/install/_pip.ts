import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { installFailure, type KnownFailure } from "./install_failure.ts";
import type { Installation } from "./installer.ts";
import type { JobResult } from "./job_runner.ts";
import { pipRunner } from "./_pip_runner.ts";
import { runPython } from "./_run_python.ts";
import { onlyVersions } from "./_only_versions.ts";
import { venvOf } from "./_venv.ts";

const KNOWN: readonly KnownFailure[] = [
  {
    says: /satisfies the requirement (\S+)[^(]*\(from versions: none\)/,
    state: ([, wanted]) => `there is no Python package ${wanted}, or none for this Python`,
    hint: "Check its name",
  },
  {
    says: /satisfies the requirement (\S+)[^(]*\(from versions: ([^)]*)\)/,
    state: ([, wanted, versions = ""]) => `no version fits ${wanted}, the newest are ${newest(versions)}`,
    hint: "Ask for a version that exists",
  },
  {
    says: /Cannot install ([^\n]+) because these package versions have conflicting dependencies/,
    state: ([, packages]) => `${packages} exclude each other`,
    hint: "Ask for versions that go together",
  },
  {
    says:
      /Failed (?:building wheel for|to build) (?:installable wheels for some pyproject.toml based projects \()?([^\s)]+)|error: metadata-generation-failed[^]*?╰─> ([^\n]+)/,
    state: ([, one, other]) => `${one ?? other} has to be compiled, which fails here`,
    hint: "Ask for a version with a wheel for this machine, or install the compiler that it needs",
  },
];

const COMMON = ["--disable-pip-version-check", "--no-input", "--no-color"];
const INSTALL = ["--prefer-binary", "--no-warn-script-location", "--progress-bar=off", "--retries=2"];

/**
 * Makes a venv with Python's own module and installs into it. pip itself lives in one environment for each Python, since
 * putting it into each takes seconds.
 */
export async function installWithPip(installation: Installation): Promise<string> {
  const { directory, dependencies, lock, interpreter } = installation;
  const venv = venvOf(directory);
  const packages = dependencies.map(({ text }) => text);
  const pip = await pipRunner(installation);
  const ask = async (args: readonly string[], { net = false, shared = false } = {}): Promise<JobResult> =>
    await runPython(installation, pip.python, {
      args: ["-m", "pip", "--python", venv.python, ...COMMON, ...args],
      net,
      shared,
      read: [pip.path],
    });
  const made = await runPython(installation, interpreter.command, {
    args: ["-m", "venv", "--without-pip", venv.path],
  });
  if (made.code !== 0) throw installFailure(made, { program: "venv", known: [] });
  const list = join(directory, "lock.txt");
  if (lock !== undefined) await writeFile(list, lock);
  // A lock names everything there is, so nothing else may come in.
  const wanted = lock === undefined ? packages : ["--no-deps", "-r", list];
  installation.progress(`Installing ${packages.join(", ")}`);
  const fromWheels = onlyVersions(lock)
    ? await ask(["install", ...INSTALL, "--only-binary=:all:", ...wanted], { net: true, shared: true })
    : undefined;
  // What has to be built runs code of its own.
  const installed = fromWheels?.code === 0
    ? fromWheels
    : await ask(["install", ...INSTALL, ...wanted], { net: true });
  if (installed.code !== 0) throw installFailure(installed, { program: "pip", known: KNOWN });
  const frozen = await ask(["freeze"]);
  if (frozen.code !== 0) throw installFailure(frozen, { program: "pip", known: [] });
  return frozen.stdout;
}

/** The last three of a list of versions that pip shows. */
function newest(versions: string): string {
  return versions.split(", ").slice(-3).join(", ");
}
