import { join } from "node:path";
import { SkillzError } from "../base/errors.ts";
import type { JsonObject } from "../base/json.ts";
import { copyTree } from "./_copy_tree.ts";
import { archiveCurrent, currentState, versionNames } from "./_current_state.ts";
import type { ToolPlace } from "./_layout.ts";
import { makeFolder } from "./_make_folder.ts";
import { commit } from "./_publish.ts";
import { listTree } from "./_tree.ts";
import { loadFolder } from "./load_folder.ts";
import { writeManifest } from "./manifest.ts";
import type { Tool } from "./tool.ts";
import type { VersionInfo } from "./tool_store.ts";
import { compareVersions, isVersion } from "./version_number.ts";

/** Most versions that an error names. */
const MOST_NAMED = 20;

/** Every state of a tool that can be read, the current one first, then the newest first. */
export async function listVersions(place: ToolPlace, current: Tool): Promise<VersionInfo[]> {
  const earlier = await Promise.all((await earlierStates(place, current)).map((tool) => infoOf(tool, false)));
  earlier.sort((a, b) => compareVersions(b.version, a.version));
  return [await infoOf(current, true), ...earlier];
}

/** Every state but the current one that can be read, in no order. */
export async function earlierStates(place: ToolPlace, current: Tool): Promise<Tool[]> {
  const names = new Set([...await versionNames(place.versions), ...await versionNames(place.oldVersions)]);
  names.delete(current.manifest.version);
  const loaded = await Promise.all([...names].map((version) => loadVersion(place, current, { version })));
  return loaded.filter((tool) => tool !== undefined);
}

/** The tool as it was in a version; undefined when there is none that can be read. */
export async function loadVersion(
  place: ToolPlace,
  current: Tool,
  { version }: { version: string },
): Promise<Tool | undefined> {
  if (!isVersion(version)) return undefined;
  if (version === current.manifest.version) return current;
  for (const folder of [place.versions, place.oldVersions]) {
    if (!(await versionNames(folder)).includes(version)) continue;
    const directory = join(folder, version);
    try {
      const fallback = folder === place.oldVersions ? oldManifest(current, version) : undefined;
      const { tool } = await loadFolder(directory, { name: place.name, ...(fallback ? { fallback } : {}) });
      if (tool) return { name: place.name, ...tool, directory };
    } catch {
      // It was broken when it was kept: there is nothing to run, and nothing to lose either.
    }
  }
  return undefined;
}

/** The tool in a version. Throws `not_found` with those that there are. */
export async function requireVersion(
  place: ToolPlace,
  current: Tool,
  { version }: { version: string },
): Promise<Tool> {
  const tool = await loadVersion(place, current, { version });
  if (tool) return tool;
  const known = (await listVersions(place, current)).map((info) => info.version);
  throw new SkillzError(
    "not_found",
    `Cannot find version ${JSON.stringify(version.slice(0, 100))} of "${place.name}": there is ${
      known.slice(0, MOST_NAMED).join(", ")
    }${known.length > MOST_NAMED ? " and older ones" : ""}`,
  );
}

/** Makes a version the visible state; the present one is a version already, or becomes one. Under the lock. */
export async function rollbackTool(place: ToolPlace, version: string): Promise<void> {
  const state = await currentState(place);
  if (state.scan.kind !== "tool") {
    throw new SkillzError(
      "not_found",
      `Cannot roll back "${place.name}": there is no such tool that can be loaded`,
    );
  }
  const { tool: current, record } = state.scan;
  const isClean = record.tool?.snapshot !== undefined;
  const target = version === current.manifest.version && !isClean
    // Edited by hand since it got this number: the number still means what it meant.
    ? await loadVersion(place, { ...current, manifest: { ...current.manifest, version: "" } }, { version })
    : await requireVersion(place, current, { version });
  if (target === undefined || isClean && version === current.manifest.version) return;
  await archiveCurrent(place, state);
  if (target.directory.startsWith(place.oldVersions)) await adopt(place, target);
  await commit(place, { version });
}

/** Copies a version that the older edition kept to where versions are kept now. */
async function adopt(place: ToolPlace, tool: Tool): Promise<void> {
  const staged = place.fresh();
  try {
    await copyTree({ from: tool.directory, to: staged }, await listTree(tool.directory, []));
    const text = JSON.stringify(writeManifest(tool.manifest), null, 2);
    await Deno.writeTextFile(join(staged, "manifest.json"), `${text}\n`);
    await makeFolder(place.versions);
    await Deno.rename(staged, place.version(tool.manifest.version));
  } catch (error) {
    await Deno.remove(staged, { recursive: true }).catch(() => {});
    throw error;
  }
}

/** The older edition kept of a script only its file: what else it was is taken from the present manifest. */
function oldManifest(current: Tool, version: string): JsonObject {
  const { entry_file: _file, created_at: _made, updated_at: _changed, ...rest } = writeManifest(
    current.manifest,
  );
  return { ...rest, version };
}

async function infoOf(tool: Tool, current: boolean): Promise<VersionInfo> {
  const { manifest, hash } = tool;
  const made = manifest.updated_at ?? manifest.created_at ??
    (await Deno.lstat(tool.directory)).mtime?.toISOString() ?? new Date(0).toISOString();
  return { version: manifest.version, created_at: made, current, description: manifest.description, hash };
}
