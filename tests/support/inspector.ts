import { execFile } from "node:child_process";
import { mkdir, rename, rm, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The release that the tests use. */
const PACKAGE = "@modelcontextprotocol/inspector@2.12.0";

/** What a run of the Inspector came to. */
export interface InspectorRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs MCP's Inspector on the command line, under Deno because it wants a newer Node than many machines have. Its
 * package is installed once into the user's cache folder. Ask `needs("npm")` first.
 */
export async function inspect(args: readonly string[]): Promise<InspectorRun> {
  const folder = await install();
  const script = join(folder, "node_modules/@modelcontextprotocol/inspector/clients/cli/build/index.js");
  const denoDir = Deno.env.get("DENO_DIR") ?? join(cacheHome(), "deno");
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    // It hands nothing of its environment on to the server but what it is told to.
    args: ["run", "-A", "--node-modules-dir=manual", script, "-e", `DENO_DIR=${denoDir}`, ...args],
    cwd: folder,
    env: { HOME: folder, DENO_DIR: denoDir },
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

async function install(): Promise<string> {
  const cache = join(cacheHome(), "skillz-tests");
  const folder = join(cache, PACKAGE.slice(PACKAGE.lastIndexOf("/") + 1));
  if (await exists(folder)) return folder;
  // Made beside its place and moved there whole, so that a second run never meets a half-made one.
  const draft = `${folder}.${crypto.randomUUID()}`;
  await mkdir(draft, { recursive: true });
  try {
    const args = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", draft, PACKAGE];
    await run("npm", args, { cwd: draft, timeout: 300_000 });
    await rename(draft, folder);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!await exists(folder)) throw error;
  }
  return folder;
}

function cacheHome(): string {
  return Deno.env.get("XDG_CACHE_HOME") ?? join(homedir(), ".cache");
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(() => true, () => false);
}
