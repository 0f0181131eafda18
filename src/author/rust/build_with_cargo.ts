import { mkdir, readFile, realpath, rm, stat, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { atomicWrite } from "../../base/atomic_write.ts";
import { SkillzError } from "../../base/errors.ts";
import { lockFile } from "../../base/file_lock.ts";
import { sha256 } from "../../base/hash.ts";
import type { JobResult } from "../../install/job_runner.ts";
import { cargoFailure } from "./cargo_failure.ts";
import { cargoLine, type CrateDependency } from "./crate_dependency.ts";
import { readDiagnostics, shortened } from "./diagnostics.ts";
import { buildFailure, type BuiltRust, MESSAGE_BYTES, type RustBuild, SOURCE_FILE } from "./rust_build.ts";
import { RUST_TARGET } from "./toolchain.ts";

/** Holds the lock for which all crates of a project are downloaded. */
const FETCHED = ".fetched";
/** What cargo says on its way. */
const STEP = /^\s*(Updating|Locking|Downloading|Downloaded|Compiling|Blocking)\b.*$/;

/**
 * Builds with crates. Crates are downloaded first, with network and without running any of their code; then they are
 * compiled, which may run code of theirs, without network. One project for each set of crates and one target folder
 * for all, so that each crate is compiled once.
 */
export async function buildWithCargo(
  build: RustBuild,
  crates: readonly CrateDependency[],
): Promise<BuiltRust> {
  const { input, place, toolchain, options } = build;
  if (toolchain.cargo === undefined) {
    throw new SkillzError("unavailable", "Cannot build: crates need cargo, which is not beside rustc");
  }
  const manifest = projectManifest(crates, place.helperCrate);
  const key = (await sha256(`${toolchain.version}\n${manifest}`)).slice(0, 16);
  const project = join(place.projects, key);
  const cargo = new Cargo(build, { project, packageName: `tool-${key}`, program: toolchain.cargo });
  // cargo would wait by itself, but neither with a limit nor where it could be told to stop.
  await using _lock = await lockFile(place.lock, {
    timeoutMs: options.timeoutMs,
    ...(options.signal ? { signal: options.signal } : {}),
  });
  await mkdir(project, { recursive: true });
  await writeNew(join(project, "Cargo.toml"), manifest.replaceAll("PACKAGE", `tool-${key}`));
  if (input.lock !== undefined) await writeNew(join(project, "Cargo.lock"), input.lock);
  await writeNew(join(project, SOURCE_FILE), input.code);
  try {
    const log = await cargo.build();
    const wasm = join(place.target, RUST_TARGET, "release", `tool-${key}.wasm`);
    const lock = await readOwn(join(project, "Cargo.lock"), project);
    return { wasm: await readOwn(wasm, place.target), lock: new TextDecoder().decode(lock), log };
  } finally {
    const isGood = await stat(join(project, FETCHED)).then(() => true, () => false);
    await rm(isGood ? join(project, SOURCE_FILE) : project, { recursive: true, force: true });
  }
}

/** Build scripts of crates have had these folders in their hands, and may have left links to files of the user there. */
async function writeNew(path: string, text: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
  await writeFile(path, text, { flag: "wx" });
}

async function readOwn(path: string, folder: string): Promise<Uint8Array> {
  const expected = join(await realpath(folder), relative(folder, path));
  if (await realpath(path) === expected && (await stat(expected)).isFile()) return await readFile(expected);
  throw new SkillzError("denied", "Cannot take what was built: a crate has put a link in its place");
}

function projectManifest(crates: readonly CrateDependency[], helper: string): string {
  const has = (name: string) => crates.some((crate) => crate.name.replaceAll("-", "_") === name);
  const features = has("serde") && has("serde_json") ? ', features = ["serde"]' : "";
  const own = crates.filter(({ name }) => name !== "skillz");
  return `[package]
name = "PACKAGE"
version = "1.0.0"
edition = "2021"

[workspace]

[[bin]]
name = "PACKAGE"
path = "${SOURCE_FILE}"

[dependencies]
skillz = { path = ${JSON.stringify(helper)}${features} }
${own.map(cargoLine).join("\n")}

[profile.release]
strip = "symbols"
debug = false
incremental = false
`;
}

class Cargo {
  readonly #build: RustBuild;
  readonly #own: { readonly project: string; readonly packageName: string; readonly program: string };

  constructor(build: RustBuild, own: { project: string; packageName: string; program: string }) {
    this.#build = build;
    this.#own = own;
  }

  /** Downloads what is missing and compiles. Returns the compiler's warnings about the code. */
  async build(): Promise<string> {
    const marker = join(this.#own.project, FETCHED);
    const known = await readFile(marker, "utf8").catch(() => "") === await this.#lock();
    if (!known) await this.#fetch(marker);
    const first = await this.#compile();
    if (first.code === 0) return this.#warnings(first);
    // What was downloaded once may have been cleared away.
    if (known && /--offline|no matching package|failed to (load|download|get)/i.test(first.stderr)) {
      await this.#fetch(marker);
      const second = await this.#compile();
      if (second.code === 0) return this.#warnings(second);
      throw this.#failure(second);
    }
    throw this.#failure(first);
  }

  async #fetch(marker: string): Promise<void> {
    const { input, toolchain } = this.#build;
    const targets = [RUST_TARGET, toolchain.host].filter(Boolean).map((target) => `--target=${target}`);
    const result = await this.#run(["fetch", ...targets], { net: true });
    if (result.code !== 0) throw cargoFailure(input.name, { result });
    await atomicWrite(marker, await this.#lock());
  }

  /** What the crates are resolved to; empty before they are. */
  async #lock(): Promise<string> {
    const { project } = this.#own;
    const lock = await readOwn(join(project, "Cargo.lock"), project).catch(() => undefined);
    return lock === undefined ? "" : new TextDecoder().decode(lock);
  }

  async #compile(): Promise<JobResult> {
    const args = ["build", "--release", "--offline", `--target=${RUST_TARGET}`];
    return await this.#run(args, { net: false });
  }

  async #run(args: readonly string[], { net }: { net: boolean }): Promise<JobResult> {
    const { deps, place, toolchain, options } = this.#build;
    const { cargoConfig } = deps;
    const config = cargoConfig === undefined ? [] : ["--config", cargoConfig];
    return await deps.run({
      kind: "build",
      command: this.#own.program,
      args: [...config, ...args],
      cwd: this.#own.project,
      env: {
        CARGO_HOME: place.cargoHome,
        CARGO_TARGET_DIR: place.target,
        CARGO_TERM_COLOR: "never",
        CARGO_TERM_PROGRESS_WHEN: "never",
        CARGO_NET_RETRY: "2",
        RUSTC: toolchain.rustc,
      },
      net,
      read: [
        toolchain.sysroot,
        place.helperCrate,
        place.cargoHome,
        ...(cargoConfig === undefined ? [] : [cargoConfig]),
      ],
      // Sources and settings of cargo can only be changed while no code of a crate runs.
      write: net ? [place.cargoHome] : [place.target],
      needs: [toolchain.sysroot],
      timeoutMs: options.timeoutMs,
    }, {
      signal: options.signal,
      outputBytes: MESSAGE_BYTES,
      onLine: (line, stream) => {
        if (stream === "stderr" && STEP.test(line)) options.progress?.(this.#readable(line));
      },
    });
  }

  /** A line of cargo's without our folders and made-up names. */
  #readable(line: string): string {
    const { packageName } = this.#own;
    return line.trim().replace(/ \([^)]*\)$/, "").replace(`${packageName} v1.0.0`, this.#build.input.name);
  }

  #warnings(result: JobResult): string {
    return shortened(readDiagnostics(result.stderr).warnings);
  }

  #failure(result: JobResult): SkillzError {
    const { name } = this.#build.input;
    const { errors, crate } = readDiagnostics(result.stderr);
    if (errors.length > 0 && crate === this.#own.packageName) {
      return buildFailure(name, { errors, otherwise: result.stderr });
    }
    return cargoFailure(name, { result, errors, crate });
  }
}
