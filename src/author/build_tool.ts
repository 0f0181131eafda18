import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject } from "../base/json.ts";
import { SkillzError } from "../base/errors.ts";
import type { CallContext } from "../run/call_context.ts";
import { checkKind } from "../tools/check_kind.ts";
import type { Tool } from "../tools/tool.ts";
import type { ToolStore } from "../tools/tool_store.ts";
import { buildRust } from "./build_rust.ts";
import { type BuildRustDeps, SOURCE_FILE } from "./rust/rust_build.ts";

/** Rust code to be made a tool; the other manifest fields are validated by the store. */
export interface BuildToolInput {
  /** Name of the tool and of its skill. */
  name: string;
  /** A whole program with `fn main`. */
  code: string;
  /** Crates: `serde@1.0[derive]`. */
  dependencies: readonly string[];
  /** Replace a tool of that name. */
  overwrite: boolean;
  /** More fields of manifest.json: description, schemas, permissions, limits, … */
  manifest: JsonObject;
}

/** What {@linkcode buildTool} needs. */
export interface BuildToolDeps {
  /** Where tools are kept. */
  store: Pick<ToolStore, "get" | "save">;
  /** Throws `invalid_input` for a name that breaks the rules or is taken by something that is not a made tool. */
  checkName(name: string): void;
  /** Compilers, and how they are run. */
  rust(): Promise<BuildRustDeps>;
  /** Checks and examples, see `author/admit_tool.ts`. */
  admit(staged: Tool, ctx: CallContext): Promise<void>;
}

/** A built tool, and what the compiler warned about. */
export interface BuildToolResult {
  tool: Tool;
  /** Warnings, empty when there are none. */
  warnings: string;
}

/**
 * Compiles Rust and saves the module as a tool. Crates keep to the versions of the tool's last build as long as they
 * fit. A build that fails leaves the last good version in force.
 *
 * Throws `failed` with the compiler's errors, otherwise as `registerScript`.
 */
export async function buildTool(
  input: BuildToolInput,
  deps: BuildToolDeps,
  ctx: CallContext,
): Promise<BuildToolResult> {
  const { name, code, dependencies, overwrite, manifest } = input;
  deps.checkName(name);
  const before = deps.store.get(name);
  checkKind(before, "wasm");
  if (before !== undefined && !overwrite) throw taken(before);
  let steps = 0;
  const lock = await lastLock(before);
  const built = await buildRust(
    { name, code, dependencies, ...(lock === undefined ? {} : { lock }) },
    await deps.rust(),
    { signal: ctx.signal, progress: (message) => ctx.caller.progress({ progress: ++steps, message }) },
  );
  const module = `${name}.wasm`;
  const tool = await deps.store.save({
    manifest: {
      ...manifest,
      name,
      tool_type: "wasm",
      entry_file: module,
      wasm_dependencies: [...dependencies],
    },
    files: {
      [module]: built.wasm,
      [SOURCE_FILE]: code,
      ...(built.lock === undefined ? {} : { "Cargo.lock": built.lock }),
    },
  }, { overwrite, signal: ctx.signal, beforeCommit: (staged) => deps.admit(staged, ctx) });
  return { tool, warnings: built.log };
}

/** Said before minutes are spent on compiling what can't be saved. */
function taken({ name, manifest }: Tool): SkillzError {
  return new SkillzError(
    "conflict",
    `Cannot build "${name}": it exists as version ${manifest.version}, the name must be free`,
    { hint: "Give overwrite: true to make a new version, or choose another name" },
  );
}

async function lastLock(tool: Tool | undefined): Promise<string | undefined> {
  if (tool === undefined) return undefined;
  return await readFile(join(tool.directory, "Cargo.lock"), "utf8").catch(() => undefined);
}
