import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { SkillzError } from "../base/errors.ts";
import hooks from "./node_hooks.mjs" with { type: "text" };
import { installFailure, type KnownFailure } from "./install_failure.ts";
import type { Installer } from "./installer.ts";

const KNOWN: readonly KnownFailure[] = [
  {
    says: /code ETARGET[^]*?No matching version found for (\S+?)\.?\s/,
    state: ([, wanted]) => `no version fits ${wanted}`,
    hint: "Ask for a version that exists",
  },
  {
    says: /code E404[^]*?'([^']+)' (?:is not in this registry|could not be found)/,
    state: ([, name = ""]) => `there is no npm package ${name.replace(/@[^@/]*$/, "")}`,
    hint: "Check its name",
  },
  {
    says: /code ERESOLVE[^]*?While resolving: ([^\n]+)/,
    state: () => "the packages exclude each other",
    hint: "Ask for versions that go together",
  },
  {
    says: /code EBADENGINE[^]*?package: '([^']+)'/,
    state: ([, name]) => `${name} needs another version of Node`,
    hint: "Ask for an older version of it",
  },
];

const HOOKS = "hooks.mjs";
const FLAGS = [
  "--ignore-scripts",
  "--no-audit",
  "--no-fund",
  "--no-update-notifier",
  "--loglevel=error",
  "--color=false",
];

/** npm packages, installed without running any of their scripts. */
export const node: Installer = {
  language: "node",
  async install(
    { directory, dependencies, lock, interpreter, cache, run, find, signal, progress, timeoutMs },
  ) {
    const npm = await find("npm");
    if (npm === undefined) {
      throw new SkillzError("unavailable", "Cannot install the dependencies: npm is not on PATH", {
        hint: "Install npm on the machine of the server",
      });
    }
    const wanted = Object.fromEntries(
      dependencies.map(({ name, text }) => [name, text.slice(name.length + 1) || "*"]),
    );
    const manifest = { name: "tool", private: true, dependencies: wanted };
    await writeFile(join(directory, "package.json"), JSON.stringify(manifest));
    if (lock !== undefined) await writeFile(join(directory, "package-lock.json"), lock);
    await writeFile(join(directory, HOOKS), hooks);
    progress(`Installing ${dependencies.map(({ text }) => text).join(", ")}`);
    const own = join(cache, "npm");
    const result = await run({
      kind: "install",
      command: npm.command,
      args: [lock === undefined ? "install" : "ci", "--prefer-offline", ...FLAGS],
      cwd: directory,
      env: { ...npm.env, npm_config_cache: own },
      write: [own],
      needs: [...npm.needs, ...interpreter.needs],
      net: true,
      timeoutMs,
    }, { signal });
    if (result.code !== 0) throw installFailure(result, { program: "npm", known: KNOWN });
    return await readFile(join(directory, "package-lock.json"), "utf8");
  },
  runtime(directory) {
    return {
      directory,
      // NODE_PATH is for `require`; `import` does not look there.
      args: [`--import=${pathToFileURL(join(directory, HOOKS)).href}`],
      env: { NODE_PATH: join(directory, "node_modules") },
    };
  },
};
