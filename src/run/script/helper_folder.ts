import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import python from "./helpers/skillz.py" with { type: "text" };

/** Where the helper libraries are, and what makes languages find them. */
export interface HelperPaths {
  /** Folders that every script may read. */
  readonly directories: readonly string[];
  /** Import map for Deno: `skillz` is a module. */
  readonly importMap: string;
  /** Variables that let interpreters find the libraries; `path` is the PATH that is added to. */
  environment(path: string): Record<string, string>;
}

/** The helper libraries for scripts (`from skillz import tool` and the like). */
export interface Helpers {
  /** Their folders, written when they are not there yet. */
  ready(): Promise<HelperPaths>;
}

const FILES: Readonly<Record<string, string>> = {
  "python/skillz.py": python,
};

/** Helper libraries below TOOLS_DIR, written once, at the first need. */
export function createHelpers(toolsDir: string): Helpers {
  let paths: Promise<HelperPaths> | undefined;
  return {
    ready() {
      paths ??= write(toolsDir);
      paths.catch(() => paths = undefined);
      return paths;
    },
  };
}

async function write(toolsDir: string): Promise<HelperPaths> {
  const folder = join(toolsDir, ".runtime", await version());
  await Promise.all(Object.entries(FILES).map(([name, text]) => writeOnce(join(folder, name), text)));
  return {
    directories: [folder],
    importMap: join(folder, "deno", "import_map.json"),
    environment: (path) => ({
      PATH: path === "" ? join(folder, "shell") : `${path}${delimiter}${join(folder, "shell")}`,
      PYTHONPATH: join(folder, "python"),
      RUBYLIB: join(folder, "ruby"),
    }),
  };
}

/** Changes whenever a library does, so that servers of different age share one TOOLS_DIR. */
async function version(): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(FILES));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return digest.toHex().slice(0, 16);
}

async function writeOnce(path: string, text: string): Promise<void> {
  if (await readFile(path, "utf8").catch(() => undefined) === text) return;
  await mkdir(dirname(path), { recursive: true });
  const fresh = `${path}.${crypto.randomUUID().slice(0, 8)}`;
  await writeFile(fresh, text);
  await rename(fresh, path);
}
