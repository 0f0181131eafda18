import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { atomicWrite } from "../../base/atomic_write.ts";
import { SkillzError } from "../../base/errors.ts";
import { sha256 } from "../../base/hash.ts";
import type { JobRunner } from "../../install/job_runner.ts";
import source from "./skillz.rs" with { type: "text" };
import { RUST_TARGET, type RustToolchain } from "./toolchain.ts";

/** Folders below TOOLS_DIR in which builds share what they have compiled. */
export interface RustPlace {
  /** Source of the helper crate, for cargo. */
  readonly helperCrate: string;
  /** cargo's own folder: index and sources of crates. */
  readonly cargoHome: string;
  /** What cargo has compiled, for all tools. */
  readonly target: string;
  /** One folder for each set of crates. */
  readonly projects: string;
  /** Held while cargo works. */
  readonly lock: string;
}

const HELPER_TOML = `[package]
name = "skillz"
version = "1.0.0"
edition = "2021"

[lib]
path = "skillz.rs"

[features]
serde = ["dep:serde", "dep:serde_json"]

[dependencies]
serde = { version = "1", optional = true }
serde_json = { version = "1", optional = true }
`;

/** What cargo has compiled lies in this folder of the cache. */
export const TARGET_FOLDER = "target";
/** Held while cargo works in it. */
export const CARGO_LOCK = "cargo.lock";

/** Where builds keep what they share. */
export function rustCache(toolsDir: string): string {
  return join(toolsDir, ".cache", "rust");
}

/** The folders, made where they are missing. */
export async function rustPlace(toolsDir: string): Promise<RustPlace> {
  const cache = rustCache(toolsDir);
  const version = (await sha256(source + HELPER_TOML)).slice(0, 12);
  const place = {
    helperCrate: join(cache, `skillz-${version}`),
    cargoHome: join(cache, "cargo-home"),
    target: join(cache, TARGET_FOLDER),
    projects: join(cache, "projects"),
    lock: join(cache, CARGO_LOCK),
  };
  const folders = [place.helperCrate, place.cargoHome, place.target, place.projects];
  await Promise.all(folders.map((folder) => mkdir(folder, { recursive: true })));
  await Promise.all([
    writeOnce(join(place.helperCrate, "Cargo.toml"), HELPER_TOML),
    writeOnce(join(place.helperCrate, "skillz.rs"), source),
  ]);
  return place;
}

async function writeOnce(path: string, text: string): Promise<void> {
  if (await readFile(path, "utf8").catch(() => undefined) !== text) await atomicWrite(path, text);
}

/** What {@linkcode compiledHelper} works with. */
export interface HelperDeps {
  /** The shared folders. */
  readonly place: RustPlace;
  /** The Rust that compiles it. */
  readonly toolchain: RustToolchain;
  /** Runs the compiler, confined. */
  readonly run: JobRunner;
}

/** The helper crate as a library for rustc, compiled once for each version of Rust. */
export async function compiledHelper(
  { place, toolchain, run }: HelperDeps,
  options: { signal?: AbortSignal | undefined; timeoutMs: number },
): Promise<string> {
  const folder = join(place.helperCrate, (await sha256(toolchain.version)).slice(0, 12));
  const library = join(folder, "libskillz.rlib");
  if (await stat(library).then(() => true, () => false)) return library;
  const aside = join(place.helperCrate, `.${crypto.randomUUID()}.tmp`);
  await mkdir(aside);
  try {
    await writeFile(join(aside, "skillz.rs"), source);
    const result = await run({
      kind: "build",
      command: toolchain.rustc,
      args: [
        "--edition=2021",
        "--crate-type=rlib",
        "--crate-name=skillz",
        `--target=${RUST_TARGET}`,
        "-O",
        "skillz.rs",
      ],
      cwd: aside,
      net: false,
      read: [toolchain.sysroot],
      needs: [toolchain.sysroot],
      timeoutMs: options.timeoutMs,
    }, { signal: options.signal });
    if (result.code !== 0) {
      throw new SkillzError(
        "unavailable",
        `Cannot build: this Rust can't compile the helper crate, ${
          result.explanation ?? result.stderr.slice(-500)
        }`,
      );
    }
    // Whoever is first wins; both made the same.
    await rename(aside, folder).catch(() => {});
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
  return library;
}
