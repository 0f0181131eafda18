import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import core from "./helpers/core.mjs" with { type: "text" };
import node from "./helpers/skillz.mjs" with { type: "text" };
import python from "./helpers/skillz.py" with { type: "text" };
import pythonLoop from "./helpers/skillz_loop.py" with { type: "text" };
import ruby from "./helpers/skillz.rb" with { type: "text" };
import shell from "./helpers/skillz.sh" with { type: "text" };
import deno from "./helpers/skillz.ts" with { type: "text" };
import hooks from "../../install/node_hooks.mjs" with { type: "text" };
import { inFirstWritable } from "../../tools/first_writable.ts";
import { onDisk } from "../../tools/on_disk.ts";
import { toCommonJs } from "./to_common_js.ts";

/** Where the helper libraries are, and what makes languages find them. */
export interface HelperPaths {
  /** Folders that every script may read. */
  readonly directories: readonly string[];
  /** Arguments that make Node find the library where it lies above no script; none where it does. */
  readonly nodeArgs: readonly string[];
  /** The library for Deno, which is the module `skillz`. */
  readonly denoModule: string;
  /** Variables that let interpreters find the libraries; `path` is the PATH that is added to. */
  environment(path: string): Record<string, string>;
}

/** The helper libraries for scripts (`from skillz import tool` and the like). */
export interface Helpers {
  /** Their folders, written when they are not there yet. */
  ready(): Promise<HelperPaths>;
}

/** Found by search paths in the environment; in a folder that is named after its contents. */
const BY_PATH: Readonly<Record<string, string>> = {
  "python/skillz.py": python,
  "python/skillz_loop.py": pythonLoop,
  "ruby/skillz.rb": ruby,
  "shell/skillz.sh": shell,
  "deno/core.mjs": core,
  "deno/skillz.ts": deno,
};

/** Found by Node, which looks for modules in `node_modules` beside and above a script and nowhere else. */
const BY_PLACE: Readonly<Record<string, string>> = {
  "package.json": JSON.stringify({
    name: "skillz",
    version: "1.0.0",
    description: "Helper library for tools of this folder, written by Skillz",
    exports: { import: "./skillz.mjs", require: "./skillz.cjs" },
  }),
  "core.mjs": core,
  "skillz.mjs": node,
  "core.cjs": toCommonJs(core),
  "skillz.cjs": toCommonJs(node),
};

/** Options of {@linkcode createHelpers}. */
export interface HelpersOptions {
  /**
   * Folders to write to when TOOLS_DIR is read-only.
   * @default none
   */
  readonly fallbacks?: readonly string[];
}

/** Helper libraries below TOOLS_DIR, written at the first need. */
export function createHelpers(toolsDir: string, { fallbacks = [] }: HelpersOptions = {}): Helpers {
  let paths: Promise<HelperPaths> | undefined;
  return {
    ready() {
      const places = [toolsDir, ...fallbacks] as const;
      const written = () => inFirstWritable(places, (base) => write(base, { beside: base === toolsDir }));
      paths ??= onDisk(toolsDir, written).catch((error) => {
        paths = undefined;
        throw error;
      });
      return paths;
    },
  };
}

/** `beside`: the scripts lie below `base` too, so that Node finds what is in its `node_modules`. */
async function write(base: string, { beside }: { beside: boolean }): Promise<HelperPaths> {
  const folder = join(base, ".runtime", await contentName());
  const modules = join(base, "node_modules");
  const place = join(modules, "skillz");
  const hooksFile = join(place, "hooks.mjs");
  await Promise.all([
    ...Object.entries(BY_PATH).map(([name, text]) => writeOnce(join(folder, name), text)),
    ...Object.entries(BY_PLACE).map(([name, text]) => writeOnce(join(place, name), text)),
    ...beside ? [] : [writeOnce(hooksFile, hooks)],
  ]);
  const shellFolder = join(folder, "shell");
  return {
    directories: [folder, place],
    nodeArgs: beside ? [] : [`--import=${pathToFileURL(hooksFile).href}`],
    denoModule: join(folder, "deno", "skillz.ts"),
    environment: (path) => ({
      // The shell's `. skillz.sh` searches PATH.
      PATH: path === "" ? shellFolder : `${path}${delimiter}${shellFolder}`,
      PYTHONPATH: join(folder, "python"),
      RUBYLIB: join(folder, "ruby"),
      // For `require`; `import` is served by the hooks.
      ...beside ? {} : { NODE_PATH: modules },
    }),
  };
}

/** Changes whenever a library does, so that servers of different age can share one TOOLS_DIR. */
async function contentName(): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(BY_PATH));
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex().slice(0, 16);
}

async function writeOnce(path: string, text: string): Promise<void> {
  if (await readFile(path, "utf8").catch(() => undefined) === text) return;
  await mkdir(dirname(path), { recursive: true });
  const fresh = `${path}.${crypto.randomUUID().slice(0, 8)}`;
  await writeFile(fresh, text);
  await rename(fresh, path);
}
