import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { SkillzError } from "../../base/errors.ts";
import { findProgram, isExecutable } from "../../process/find_program.ts";
import { runProcess } from "../../process/run.ts";

/** What tools are built for. */
export const RUST_TARGET = "wasm32-wasip1";

/** A Rust that can build tools. */
export interface RustToolchain {
  /** Folder that holds all of it. */
  readonly sysroot: string;
  /** The real programs: no launchers of rustup, which would need the user's home folder. */
  readonly rustc: string;
  /** Absolute path of cargo, for code with crates; undefined when there is none. */
  readonly cargo: string | undefined;
  /** Full version, e.g. `rustc 1.95.0 (…)` with more lines. */
  readonly version: string;
  /** The kind of machine that it runs on, for what crates run while they are built. */
  readonly host: string;
}

/** Where Rust is looked for. */
export interface ToolchainPlace {
  /** PATH and what rustup needs to choose a toolchain (HOME, RUSTUP_HOME, RUSTUP_TOOLCHAIN). */
  readonly env: Readonly<Record<string, string>>;
  /** The user's home folder. */
  readonly home: string;
}

const INSTALL_RUST = "curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh -s -- -y";
const INSTALL_TARGET = `rustup target add ${RUST_TARGET}`;
const LOOK_MS = 20_000;

/** Finds Rust once and remembers it; looks again as long as there is none, so that it may be installed meanwhile. */
export class RustToolchains {
  readonly #place: ToolchainPlace;
  #found: { readonly settings: number; readonly toolchain: RustToolchain } | undefined;

  /** Looks on the PATH of `place` and in the user's cargo folder. */
  constructor(place: ToolchainPlace) {
    this.#place = place;
  }

  /** The toolchain. Throws `SkillzError("unavailable")` with the commands that install what is missing. */
  async find(signal?: AbortSignal): Promise<RustToolchain> {
    const settings = await this.#settingsTime();
    const known = this.#found;
    if (known?.settings === settings && await isExecutable(known.toolchain.rustc)) return known.toolchain;
    const toolchain = await locate(this.#place, signal);
    this.#found = { settings, toolchain };
    return toolchain;
  }

  /** Changes when rustup is told to use another toolchain. */
  async #settingsTime(): Promise<number> {
    const { env, home } = this.#place;
    const path = join(env.RUSTUP_HOME ?? join(home, ".rustup"), "settings.toml");
    return await stat(path).then((found) => found.mtimeMs, () => 0);
  }
}

async function locate({ env, home }: ToolchainPlace, signal?: AbortSignal): Promise<RustToolchain> {
  const own = join(home, ".cargo", "bin", "rustc");
  const launcher = await findProgram("rustc", env.PATH ?? "") ?? (await isExecutable(own) ? own : undefined);
  if (launcher === undefined) {
    throw missing("Rust is not installed, rustc must be on PATH", [INSTALL_RUST, INSTALL_TARGET]);
  }
  const ask = async (...args: string[]) => {
    const spec = { command: launcher, args, cwd: "/", env: { ...env, HOME: home } };
    const result = await runProcess(spec, { timeoutMs: LOOK_MS, ...(signal ? { signal } : {}) });
    if (result.code === 0) return result.stdout.trim();
    throw missing(`rustc does not work, it says: ${result.stderr.trim().slice(-300)}`, [
      "rustup default stable",
      INSTALL_TARGET,
    ]);
  };
  const [sysroot, version] = await Promise.all([ask("--print", "sysroot"), ask("-vV")]);
  const target = join(sysroot, "lib", "rustlib", RUST_TARGET, "lib");
  if ((await readdir(target).catch(() => [])).length === 0) {
    throw missing(`this Rust has no target ${RUST_TARGET}`, [INSTALL_TARGET]);
  }
  const inside = async (name: string) => {
    const path = join(sysroot, "bin", name);
    return await isExecutable(path) ? path : await findProgram(name, env.PATH ?? "");
  };
  const host = /^host: (\S+)$/m.exec(version)?.[1] ?? "";
  return { sysroot, version, host, rustc: await inside("rustc") ?? launcher, cargo: await inside("cargo") };
}

function missing(state: string, commands: readonly string[]): SkillzError {
  return new SkillzError("unavailable", `Cannot build: ${state}`, {
    hint: `Run on the machine of the server: ${commands.join(" && ")}`,
    data: { commands: [...commands] },
  });
}
