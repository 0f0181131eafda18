import { SkillzError } from "../base/errors.ts";
import type { JsonObject } from "../base/json.ts";
import type { CallContext } from "../run/call_context.ts";
import type { Tool } from "../tools/tool.ts";
import type { ToolStore } from "../tools/tool_store.ts";
import { entryName } from "./_entry_name.ts";

/** A script to be made a tool; the other manifest fields are validated by the store. */
export interface RegisterScriptInput {
  /** Name of the tool and of its skill. */
  name: string;
  /** Source text. */
  code: string;
  /** Program, perhaps with arguments; found from `extension` or the `#!` line when absent. */
  interpreter?: string;
  /** File name extension without the dot. */
  extension?: string;
  /** Replace a tool of that name. */
  overwrite?: boolean;
  /** More fields of manifest.json: description, schemas, permissions, limits, … */
  manifest: JsonObject;
}

/** How a script is run: the program and the extension of its file. */
export interface ScriptKind {
  /** What runs it, as a manifest says it. */
  interpreter: string;
  /** Ending of its file, without the dot. */
  extension: string;
}

/** What {@linkcode registerScript} needs. */
export interface RegisterScriptDeps {
  /** Where tools are kept. */
  store: Pick<ToolStore, "save">;
  /** Throws `invalid_input` for a name that breaks the rules or is taken by something that is not a made tool. */
  checkName(name: string): void;
  /** Finds interpreter and extension, or throws `invalid_input` with the list of those known. */
  detect(script: { interpreter?: string; extension?: string; code: string }): ScriptKind;
  /** Checks, dependencies and examples, see `author/admit_tool.ts`. */
  admit(staged: Tool, ctx: CallContext): Promise<void>;
}

/**
 * Writes a script tool and returns it. Nothing is registered, and an earlier version stays in force, when anything
 * about the new one fails.
 *
 * Throws `conflict` for a used name without `overwrite`, `invalid_input` for bad fields, `failed` for a bad example.
 */
export async function registerScript(
  input: RegisterScriptInput,
  deps: RegisterScriptDeps,
  ctx: CallContext,
): Promise<Tool> {
  deps.checkName(input.name);
  if (!input.code.trim()) {
    throw new SkillzError(
      "invalid_input",
      `Cannot register "${input.name}": code is empty, it needs a script`,
    );
  }
  const { interpreter, extension } = deps.detect(input);
  const { dependencies } = input.manifest;
  const hasDependencies = Array.isArray(dependencies) && dependencies.length > 0;
  const entry = entryName(input.name, { extension, hasDependencies });
  return await deps.store.save({
    manifest: { ...input.manifest, name: input.name, tool_type: "script", interpreter, entry_file: entry },
    files: { [entry]: input.code },
  }, {
    overwrite: input.overwrite ?? false,
    signal: ctx.signal,
    beforeCommit: (staged) => deps.admit(staged, ctx),
  });
}
