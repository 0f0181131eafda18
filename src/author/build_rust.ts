import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { removeFolder } from "../install/remove_folder.ts";
import { onDisk } from "../tools/on_disk.ts";
import { buildWithCargo } from "./rust/build_with_cargo.ts";
import { parseCrates } from "./rust/crate_dependency.ts";
import { readDiagnostics, shortened } from "./rust/diagnostics.ts";
import {
  buildFailure,
  type BuildRustDeps,
  type BuildRustInput,
  type BuildRustOptions,
  type BuiltRust,
  MESSAGE_BYTES,
  type RustBuild,
  SOURCE_FILE,
} from "./rust/rust_build.ts";
import { compiledHelper, rustPlace } from "./rust/rust_place.ts";
import { RUST_TARGET } from "./rust/toolchain.ts";

const DEFAULT_TIMEOUT_MS = 600_000;
/**
 * Compiles Rust to WebAssembly for WASI: rustc alone when no crates are asked for, else cargo over folders that all
 * tools share. The code finds `skillz::arguments()` and the like without naming it as a dependency.
 *
 * @throws {SkillzError} `failed` with the compiler's errors, `invalid_input` for bad dependencies, `unavailable` when
 * Rust is missing, `timeout`, `cancelled`. Nothing of a failed build stays.
 */
export async function buildRust(
  input: BuildRustInput,
  deps: BuildRustDeps,
  given: BuildRustOptions = {},
): Promise<BuiltRust> {
  const options = { timeoutMs: DEFAULT_TIMEOUT_MS, ...given };
  const crates = parseCrates(input.dependencies ?? []);
  const toolchain = await deps.toolchains.find(options.signal);
  const place = await onDisk(deps.toolsDir, () => rustPlace(deps.toolsDir));
  const build = { input, deps, place, toolchain, options };
  return crates.length === 0 ? await buildAlone(build) : await buildWithCargo(build, crates);
}

async function buildAlone({ input, deps, place, toolchain, options }: RustBuild): Promise<BuiltRust> {
  const { signal, timeoutMs, progress } = options;
  const helper = await compiledHelper({ place, toolchain, run: deps.run }, options);
  const folder = join(place.projects, `.${crypto.randomUUID()}.tmp`);
  await mkdir(folder);
  try {
    await writeFile(join(folder, SOURCE_FILE), input.code);
    progress?.(`Compiling ${input.name}`);
    const result = await deps.run({
      kind: "build",
      command: toolchain.rustc,
      args: [
        "--edition=2021",
        "--crate-type=bin",
        "--crate-name=tool",
        `--target=${RUST_TARGET}`,
        "-O",
        "-Cstrip=symbols",
        `--extern=skillz=${helper}`,
        "--color=never",
        "-o",
        "tool.wasm",
        SOURCE_FILE,
      ],
      cwd: folder,
      net: false,
      read: [toolchain.sysroot, helper],
      needs: [toolchain.sysroot],
      timeoutMs,
    }, { signal, outputBytes: MESSAGE_BYTES });
    const { errors, warnings } = readDiagnostics(result.stderr);
    if (result.code !== 0) {
      throw buildFailure(input.name, { errors, otherwise: result.explanation ?? result.stderr });
    }
    return { wasm: await readFile(join(folder, "tool.wasm")), log: shortened(warnings) };
  } finally {
    await removeFolder(folder);
  }
}
