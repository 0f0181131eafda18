import { execFileSync } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Components of which the program alone proves nothing, and how to tell that they work here. */
const PROBES: Readonly<Record<string, () => boolean>> = {
  // Tests start Deno tools with the Deno that runs them, also where none is on PATH.
  deno: () => true,
  // Installed is not enough: many machines and containers forbid what a sandbox is made of.
  bwrap: () =>
    works("bwrap", "--unshare-all", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "true"),
  firejail: () => works("firejail", "--quiet", "--noprofile", "true"),
  nsjail: () => works("nsjail", "-Mo", "-Q", "--chroot", "/", "--", "/bin/true"),
  // A rustup without a toolchain of this user has a `cargo` that only says so.
  cargo: () => works("cargo", "--version"),
  rustc: () => works("rustc", "--version"),
  docker: () => Deno.env.get("DOCKER_HOST") !== undefined && works("docker", "version"),
  "wasm32-wasip1": hasWasmTarget,
  // A folder with a Deno and its runtime for compiled programs, or "own" where this Deno can fetch its runtime.
  "compile-pair": () => Deno.env.get("SKILLZ_TEST_COMPILE_PAIR") !== undefined,
  "mcp-python": () => namedFileExists("SKILLZ_TEST_MCP_PY") || canMakeVenv(),
  "mcp-python-old": () => namedFileExists("SKILLZ_TEST_MCP_PY_OLD") || canMakeVenv(),
};

const probed = new Map<string, boolean>();

/**
 * The `ignore` value of a test that needs the named programs (`python3`, `uvx`, …) or components (`bwrap`, `cargo`,
 * `wasm32-wasip1`, `docker`, `mcp-python`, `mcp-python-old`: see `PROBES`).
 *
 * Returns true when one is missing, so that the test is reported as ignored. One that `SKILLZ_TEST_REQUIRE`
 * (names joined by commas) lists must be there: then this throws, and the test file fails.
 */
export function needs(...names: readonly string[]): boolean {
  const missing = names.filter((name) => !isThere(name));
  const required = new Set(Deno.env.get("SKILLZ_TEST_REQUIRE")?.split(",").map((name) => name.trim()));
  const broken = missing.filter((name) => required.has(name));
  if (broken.length > 0) {
    throw new Error(
      `Cannot test: ${broken.join(", ")} missing or not working, SKILLZ_TEST_REQUIRE wants it here`,
    );
  }
  return missing.length > 0;
}

function isThere(name: string): boolean {
  const known = probed.get(name);
  if (known !== undefined) return known;
  const there = PROBES[name]?.() ?? hasProgram(name);
  probed.set(name, there);
  return there;
}

/** Whether a program of this name is on PATH and may be started. */
function hasProgram(name: string): boolean {
  return (Deno.env.get("PATH") ?? "").split(delimiter).some((folder) =>
    folder && isExecutable(join(folder, name))
  );
}

function works(program: string, ...args: readonly string[]): boolean {
  if (!hasProgram(program)) return false;
  try {
    execFileSync(program, args, { stdio: "ignore", timeout: 30_000 });
    return true;
  } catch {
    return false;
  }
}

/** `rustc` names the folder of a target's libraries whether it is installed or not. */
function hasWasmTarget(): boolean {
  const args = ["--print", "target-libdir", "--target", "wasm32-wasip1"];
  try {
    return statSync(execFileSync("rustc", args, { encoding: "utf8", timeout: 30_000 }).trim()).isDirectory();
  } catch {
    return false;
  }
}

/** The MCP package wants Python 3.10; Debian's Python comes without `ensurepip`. */
function canMakeVenv(): boolean {
  return works("python3", "-c", "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))");
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
