import { SkillzError } from "../../base/errors.ts";
import type { JobRunner } from "../../install/job_runner.ts";
import { shortened } from "./diagnostics.ts";
import type { RustPlace } from "./rust_place.ts";
import type { RustToolchain, RustToolchains } from "./toolchain.ts";

/** Rust code to be made a module. */
export interface BuildRustInput {
  /** The tool, for messages. */
  readonly name: string;
  /** A whole program with `fn main`. */
  readonly code: string;
  /** Crates: `regex`, `rand@0.8`, `serde@1.0[derive]`. */
  readonly dependencies?: readonly string[];
  /** A `Cargo.lock` to keep to. */
  readonly lock?: string;
}

/** What {@linkcode buildRust} needs. */
export interface BuildRustDeps {
  /** TOOLS_DIR, where what builds share is kept. */
  readonly toolsDir: string;
  /** Finds Rust. */
  readonly toolchains: RustToolchains;
  /** Runs the compiler, confined. */
  readonly run: JobRunner;
  /** A configuration of cargo that names the registry of this machine. */
  readonly cargoConfig?: string;
}

/** Options of {@linkcode buildRust}. */
export interface BuildRustOptions {
  /** Ends the build with all its processes. */
  readonly signal?: AbortSignal | undefined;
  /** Hears what is being done. */
  readonly progress?: (message: string) => void;
  /**
   * Most time for all of it.
   * @default 600000
   */
  readonly timeoutMs?: number;
}

/** A built module. */
export interface BuiltRust {
  /** The module. */
  readonly wasm: Uint8Array;
  /** The `Cargo.lock`, when there are crates. */
  readonly lock?: string;
  /** Warnings of the compiler about the code. */
  readonly log: string;
}

/** What one build works with. */
export interface RustBuild {
  /** The code. */
  readonly input: BuildRustInput;
  /** Everything that builds share. */
  readonly deps: BuildRustDeps;
  /** The shared folders. */
  readonly place: RustPlace;
  /** The Rust that was found. */
  readonly toolchain: RustToolchain;
  /** Limits and listeners of this build. */
  readonly options: BuildRustOptions & { readonly timeoutMs: number };
}

/** The file name under which the compiler names places in the given code. */
export const SOURCE_FILE = "src.rs";
/** How much of what compilers say is read; what is shown of it is cut later. */
export const MESSAGE_BYTES = 8 * 1024 * 1024;

/** The failure of a build: the compiler's errors, else whatever else is known. */
export function buildFailure(
  name: string,
  { errors, otherwise }: { errors: readonly string[]; otherwise: string },
): SkillzError {
  const text = errors.length > 0 ? shortened(errors) : otherwise.trim().slice(-2000);
  const noMain = errors.some((error) => error.includes("E0601"));
  return new SkillzError(
    "failed",
    `Cannot build "${name}": the compiler refuses the code, it must compile\n${text}`,
    {
      hint: noMain
        ? "A tool is a program: give it a fn main()"
        : `Lines are those of the given code (${SOURCE_FILE})`,
      data: { errors: errors.length },
    },
  );
}
