import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Components that are more than a program on PATH, and how to tell that they are there. */
const PROBES: Readonly<Record<string, () => boolean>> = {
  // Tests start Deno tools with the Deno that runs them, also where none is on PATH.
  deno: () => true,
  "mcp-python": () => namedFileExists("SKILLZ_TEST_MCP_PY"),
  "mcp-python-old": () => namedFileExists("SKILLZ_TEST_MCP_PY_OLD"),
  docker: () => hasProgram("docker") && Deno.env.get("DOCKER_HOST") !== undefined,
};

/**
 * The `ignore` value of a test that needs the named programs (`python3`, `bwrap`, …) or components (`mcp-python`,
 * `mcp-python-old`: see `mcp_python.ts`; `docker`: a client and `DOCKER_HOST`).
 *
 * Returns true when one is missing, so that the test is reported as ignored. One that `SKILLZ_TEST_REQUIRE`
 * (names joined by commas) lists must be there: then this throws, and the test file fails.
 */
export function needs(...names: readonly string[]): boolean {
  const missing = names.filter((name) => !(PROBES[name]?.() ?? hasProgram(name)));
  const required = new Set(Deno.env.get("SKILLZ_TEST_REQUIRE")?.split(",").map((name) => name.trim()));
  const broken = missing.filter((name) => required.has(name));
  if (broken.length > 0) {
    throw new Error(`Cannot test: ${broken.join(", ")} missing, SKILLZ_TEST_REQUIRE wants it here`);
  }
  return missing.length > 0;
}

/** Whether a program of this name is on PATH and may be started. */
function hasProgram(name: string): boolean {
  return (Deno.env.get("PATH") ?? "").split(delimiter).some((folder) =>
    folder && isExecutable(join(folder, name))
  );
}

function namedFileExists(variable: string): boolean {
  const path = Deno.env.get(variable);
  return path !== undefined && isExecutable(path);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
