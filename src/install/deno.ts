import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { installFailure, type KnownFailure } from "./install_failure.ts";
import type { Installer } from "./installer.ts";

const KNOWN: readonly KnownFailure[] = [
  {
    says: /npm package '([^']+)' does not exist/,
    state: ([, name]) => `there is no npm package ${name}`,
    hint: "Check its name",
  },
  {
    says: /Could not find npm package '([^']+)' matching '([^']+)'/,
    state: ([, name, wanted]) => `no version of ${name} fits ${wanted}`,
    hint: "Ask for a version that exists",
  },
  {
    says: /JSR package (?:manifest )?(?:for )?'?([^\s']+)'? (?:failed to load|not found)/i,
    state: ([, name]) => `JSR package ${name} is not there, or JSR can't be reached`,
    hint: "Check its name and the network of the server",
  },
];

const LOCK = "deno.lock";
const CACHE = "deno_dir";

/** `npm:` and `jsr:` packages, put into a cache of their own, from which alone the tool may load afterwards. */
export const deno: Installer = {
  language: "deno",
  async install({ directory, dependencies, lock, interpreter, run, signal, progress, timeoutMs }) {
    const packages = dependencies.map(({ text }) => text);
    const cache = join(directory, CACHE);
    await mkdir(cache);
    if (lock !== undefined) await writeFile(join(directory, LOCK), lock);
    progress(`Installing ${packages.join(", ")}`);
    const frozen = lock === undefined ? "--frozen=false" : "--frozen";
    const result = await run({
      kind: "install",
      command: interpreter.command,
      args: ["cache", "--quiet", "--no-config", `--lock=${join(directory, LOCK)}`, frozen, ...packages],
      cwd: directory,
      env: { ...interpreter.env, DENO_DIR: cache, NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" },
      needs: [...interpreter.needs],
      net: true,
      timeoutMs,
    }, { signal });
    if (result.code !== 0) throw installFailure(result, { program: "deno", known: KNOWN });
    return await readFile(join(directory, LOCK), "utf8");
  },
  runtime(directory, dependencies) {
    return {
      directory,
      env: { DENO_DIR: join(directory, CACHE) },
      lockFile: join(directory, LOCK),
      packages: dependencies.map(({ text }) => text),
    };
  },
};
