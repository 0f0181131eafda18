import { basename, isAbsolute, join, relative } from "node:path";
import { SkillzError } from "../base/errors.ts";
import { isJsonObject, type JsonObject } from "../base/json.ts";
import { entryFile } from "./entry_file.ts";
import { parseManifest, writeManifest } from "./manifest.ts";
import type { BrokenTool } from "./tool.ts";
import type { ToolDraft } from "./tool_store.ts";

/** What {@linkcode moveOldManifest} needs. */
export interface OldManifestDeps {
  /** Saves a new tool; throws `conflict` when there is one of that name. */
  save(draft: ToolDraft): Promise<void>;
  /** One line why an error happened. */
  reasonOf(error: unknown): string;
}

/** Name of the file at the top of TOOLS_DIR that once described all tools, or one. */
const FILE = "manifest.json";

/**
 * Gives every tool of a manifest.json at the top of TOOLS_DIR a folder of its own: run from the top it would be
 * granted everything that lies there. The old files stay; the manifest is renamed once all of it has moved.
 *
 * @returns what could not be moved.
 */
export async function moveOldManifest(root: string, deps: OldManifestDeps): Promise<BrokenTool[]> {
  const path = join(root, FILE);
  const info = await Deno.lstat(path).catch(() => undefined);
  if (!info?.isFile) return [];
  let tools: JsonObject[];
  try {
    tools = toolsOf(JSON.parse((await Deno.readTextFile(path)).replace(/^\uFEFF/, "")));
  } catch (error) {
    return [{ folder: FILE, reason: deps.reasonOf(error) }];
  }
  const broken: BrokenTool[] = [];
  for (const tool of tools) {
    try {
      await deps.save(await draftOf(root, tool));
    } catch (error) {
      if (error instanceof SkillzError && error.code === "conflict") continue;
      const name = typeof tool.name === "string" ? tool.name.slice(0, 64) : "without name";
      broken.push({ folder: FILE, reason: `tool ${JSON.stringify(name)}: ${deps.reasonOf(error)}` });
    }
  }
  if (!broken.length) await Deno.rename(path, `${path}.bak`);
  return broken;
}

function toolsOf(json: unknown): JsonObject[] {
  if (!isJsonObject(json)) {
    throw new SkillzError("invalid_input", "Cannot load the file: it holds no object");
  }
  if (typeof json.name === "string") return [json];
  return Object.entries(json).map(([name, tool]) => ({ ...(isJsonObject(tool) ? tool : {}), name }));
}

async function draftOf(root: string, tool: JsonObject): Promise<ToolDraft> {
  const { wasm_path, script_path, env_path: _env, deps_installed: _deps, schema, ...fields } = tool;
  const manifest = parseManifest({ input_schema: schema, ...fields }, { lenient: true });
  const entry = entryFile(manifest);
  const json = writeManifest({ ...manifest, description: manifest.description.trim() || manifest.name });
  if (entry === undefined) return { manifest: json, files: {} };
  const given = manifest.tool_type === "wasm" ? wasm_path : script_path;
  const source = await findSource(root, typeof given === "string" && given !== "" ? given : entry);
  // The file keeps its ending: that says more about the language than a guess.
  const name = typeof given === "string" && given !== "" ? basename(given) : entry;
  return { manifest: { ...json, entry_file: name }, files: { [name]: await Deno.readFile(source) } };
}

/** A file that the old manifest names, also when TOOLS_DIR was moved since; never one outside of it. */
async function findSource(root: string, given: string): Promise<string> {
  const name = basename(given);
  const candidates = [given, join("scripts", name), join("wasm", name), name]
    .map((path) => isAbsolute(path) ? path : join(root, path));
  const realRoot = await Deno.realPath(root);
  for (const candidate of candidates) {
    const real = await Deno.realPath(candidate).catch(() => undefined);
    if (real === undefined) continue;
    const way = relative(realRoot, real);
    if (way.startsWith("..") || isAbsolute(way)) continue;
    if ((await Deno.lstat(real)).isFile) return real;
  }
  throw new SkillzError(
    "invalid_input",
    `Cannot load the tool: its file ${JSON.stringify(name)} is not in TOOLS_DIR`,
  );
}
