import { stat } from "node:fs/promises";
import { join } from "node:path";
import { errorText } from "../base/errors.ts";
import { NO_WORKSPACE } from "../config/no_workspace.ts";
import { runProcess } from "../process/run.ts";
import { INTERPRETERS } from "../run/script/interpreters.ts";
import type { ProgramResolver } from "../sandbox/resolve_program.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";

/** One line of the report. */
export interface Finding {
  /** What was looked at. */
  readonly what: string;
  /** What was found. */
  readonly found: string;
  /** `missing` costs a feature, `broken` needs mending. */
  readonly state: "ok" | "missing" | "broken";
}

/** What {@linkcode examineMachine} looks with. */
export interface DoctorDeps {
  readonly programs: ProgramResolver;
  readonly sandbox: Sandbox;
  /** The safe list of the environment, as children get it. */
  readonly safeEnvironment: Readonly<Record<string, string>>;
  /** TOOLS_DIR, to look whether it can be written. */
  readonly toolsDir: string;
  /** What was wrong with files of the configuration. */
  readonly problems: readonly string[];
  /** Configured workspace roots. */
  readonly roots: readonly string[];
  /** How many tools load, and which folders do not. */
  tools(): Promise<{ loaded: number; broken: readonly { folder: string; reason: string }[] }>;
}

const TIMEOUT_MS = 10_000;

/** Looks at everything that tools may need on this machine. Never throws for what is missing. */
export async function examineMachine(deps: DoctorDeps, signal: AbortSignal): Promise<Finding[]> {
  const look = new Looker(deps, signal);
  const languages = INTERPRETERS.map(({ language, interpreter }) => look.interpreter(language, interpreter));
  return await Promise.all([
    look.deno(),
    ...languages,
    look.sandbox(),
    look.version("Rust compiler", ["rustc", "--version"], "build_tool needs it, see rustup.rs"),
    look.wasmTarget(),
    look.version("git", ["git", "--version"], "importing tools needs it"),
    look.version(
      "Docker",
      ["docker", "version", "--format", "{{.Server.Version}}"],
      "services need an engine",
    ),
    workspace(deps.roots),
    look.folder(),
    look.tools(),
    ...deps.problems.map((found): Finding => ({ what: "Configuration", found, state: "broken" })),
  ]);
}

function workspace(roots: readonly string[]): Finding {
  return roots.length === 0
    ? { what: "Workspace", found: NO_WORKSPACE, state: "missing" }
    : { what: "Workspace", found: roots.join(", "), state: "ok" };
}

class Looker {
  readonly #deps: DoctorDeps;
  readonly #signal: AbortSignal;

  constructor(deps: DoctorDeps, signal: AbortSignal) {
    this.#deps = deps;
    this.#signal = signal;
  }

  async deno(): Promise<Finding> {
    const what = "Deno for tools";
    try {
      const { command } = await this.#deps.programs.resolve("deno", { signal: this.#signal });
      return await this.#run(what, { command, args: ["--version"] }, "set SKILLZ_DENO");
    } catch (error) {
      return { what, found: errorText(error), state: "missing" };
    }
  }

  async interpreter(language: string, interpreter: string): Promise<Finding> {
    try {
      const { command } = await this.#deps.programs.resolve(interpreter, { signal: this.#signal });
      return { what: language, found: command, state: "ok" };
    } catch {
      return { what: language, found: `${interpreter} is not on PATH`, state: "missing" };
    }
  }

  async sandbox(): Promise<Finding> {
    try {
      const mode = await this.#deps.sandbox.mode();
      return mode === "none"
        ? { what: "Sandbox", found: "none in force; only Deno tools are confined", state: "missing" }
        : { what: "Sandbox", found: `${mode} in force`, state: "ok" };
    } catch (error) {
      return { what: "Sandbox", found: errorText(error), state: "broken" };
    }
  }

  async version(what: string, [program = "", ...args]: string[], without: string): Promise<Finding> {
    const command = await this.#find(program);
    if (command === undefined) {
      return { what, found: `${program} is not on PATH; ${without}`, state: "missing" };
    }
    return await this.#run(what, { command, args }, without);
  }

  async wasmTarget(): Promise<Finding> {
    const what = "Rust target wasm32-wasip1";
    const cure = "rustup target add wasm32-wasip1";
    const rustc = await this.#find("rustc");
    if (rustc === undefined) return { what, found: `no rustc; ${cure}`, state: "missing" };
    const args = ["--print", "target-libdir", "--target", "wasm32-wasip1"];
    const answer = await this.#run(what, { command: rustc, args }, cure);
    if (answer.state !== "ok") return answer;
    const there = await stat(answer.found).then(() => true, () => false);
    return there
      ? { ...answer, found: "installed" }
      : { what, found: `not installed; ${cure}`, state: "missing" };
  }

  async folder(): Promise<Finding> {
    const { toolsDir } = this.#deps;
    const probe = join(toolsDir, `.doctor-${crypto.randomUUID()}`);
    try {
      await Deno.mkdir(toolsDir, { recursive: true });
      await Deno.writeTextFile(probe, "");
      await Deno.remove(probe);
      return { what: "TOOLS_DIR", found: `${toolsDir} can be written`, state: "ok" };
    } catch (error) {
      return {
        what: "TOOLS_DIR",
        found: `${toolsDir} can't be written: ${errorText(error)}`,
        state: "broken",
      };
    }
  }

  async tools(): Promise<Finding> {
    const { loaded, broken } = await this.#deps.tools();
    if (!broken.length) return { what: "Tools", found: `${loaded} loaded`, state: "ok" };
    const list = broken.map(({ folder, reason }) => `${folder}: ${reason}`).join("; ");
    return { what: "Tools", found: `${loaded} loaded, ${broken.length} not: ${list}`, state: "broken" };
  }

  async #find(program: string): Promise<string | undefined> {
    try {
      return (await this.#deps.programs.resolve(program, { signal: this.#signal })).command;
    } catch {
      return undefined;
    }
  }

  async #run(what: string, program: { command: string; args: string[] }, without: string): Promise<Finding> {
    const { toolsDir, safeEnvironment } = this.#deps;
    try {
      const cwd = await stat(toolsDir).then(() => toolsDir, () => "/");
      const options = { timeoutMs: TIMEOUT_MS, signal: this.#signal };
      const { code, stdout, stderr } = await runProcess({ ...program, cwd, env: safeEnvironment }, options);
      const line = (code === 0 ? stdout : stderr || stdout).trim().split("\n")[0] ?? "";
      return code === 0
        ? { what, found: line, state: "ok" }
        : { what, found: `${line}; ${without}`, state: "missing" };
    } catch (error) {
      return { what, found: errorText(error), state: "missing" };
    }
  }
}

/** The report as text, one line a finding. */
export function renderFindings(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ what }) => what.length));
  const mark = { ok: "✓", missing: "–", broken: "✗" };
  return findings.map(({ what, found, state }) => `${mark[state]} ${what.padEnd(width)}  ${found}`).join(
    "\n",
  );
}
