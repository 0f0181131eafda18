import { execFile } from "node:child_process";
import { mkdir, rename, rm, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Which release of the official MCP package for Python: the current one, or the last of its 1.x line. */
export type McpRelease = "current" | "old";

const RELEASES = {
  current: { variable: "SKILLZ_TEST_MCP_PY", requirement: "mcp==2.3.0" },
  old: { variable: "SKILLZ_TEST_MCP_PY_OLD", requirement: "mcp==1.30.0" },
} as const satisfies Record<McpRelease, { variable: string; requirement: string }>;

/**
 * Path of a Python that has the package, from the environment (`.ci/run` sets it) or else from an environment that is
 * made once in the user's cache folder. Ask `needs("mcp-python")` or `needs("mcp-python-old")` first.
 */
export async function mcpPython(release: McpRelease): Promise<string> {
  const { variable, requirement } = RELEASES[release];
  const given = Deno.env.get(variable);
  if (given !== undefined) return given;
  const cache = join(Deno.env.get("XDG_CACHE_HOME") ?? join(homedir(), ".cache"), "skillz-tests");
  const folder = join(cache, requirement.replace("==", "-"));
  const python = join(folder, "bin", "python");
  if (await exists(python)) return python;
  await mkdir(cache, { recursive: true });
  // Made beside its place and moved there whole, so that a second run never meets a half-made one.
  const draft = `${folder}.${crypto.randomUUID()}`;
  try {
    await run("python3", ["-m", "venv", draft], { timeout: 120_000 });
    await run(join(draft, "bin", "python"), ["-m", "pip", "install", "--quiet", requirement], {
      timeout: 240_000,
    });
    await rename(draft, folder);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!await exists(python)) throw error;
  }
  return python;
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(() => true, () => false);
}
