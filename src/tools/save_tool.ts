import { basename, join } from "node:path";
import { SkillzError } from "../base/errors.ts";
import { archiveCurrent, type CurrentState, currentState } from "./_current_state.ts";
import type { Layout, ToolPlace } from "./_layout.ts";
import { makeFolder } from "./_make_folder.ts";
import { commit } from "./_publish.ts";
import { finishStage, stageTool } from "./_stage_tool.ts";
import { copyTree } from "./_copy_tree.ts";
import { listTree, ownDataFolders } from "./_tree.ts";
import { checkKind } from "./check_kind.ts";
import { manifestSchema } from "./manifest_schema.ts";
import { checkName } from "./names.ts";
import type { Tool } from "./tool.ts";
import type { SaveOptions, ToolDraft } from "./tool_store.ts";
import type { Validator } from "./validator.ts";
import { isVersion, nextVersion } from "./version_number.ts";

/** What {@linkcode saveTool} needs. */
export interface SaveDeps {
  readonly layout: Layout;
  readonly validator: Validator;
  /** Names of built-in tools and virtual skills. */
  readonly reservedNames: ReadonlySet<string>;
  /** Runs the work alone among all servers of this TOOLS_DIR, after what others left undone was finished. */
  locked<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Hears, still under the lock, that the visible folder is another one now; gives the tool that it holds. */
  taken(name: string): Promise<Tool>;
}

/**
 * Writes a draft as a new tool or as the next version of one. Whatever happens, the folder is that of the old or that
 * of the new state. Long work (`beforeCommit`) is done without the lock.
 *
 * @returns what was saved, even if the next server replaces it at once.
 */
export async function saveTool(draft: ToolDraft, deps: SaveDeps, options: SaveOptions): Promise<Tool> {
  const { name } = draft.manifest;
  checkName(name, { reservedNames: deps.reservedNames });
  const place = deps.layout.tool(name);
  await makeFolder(deps.layout.staging);
  const before = await deps.locked(() => currentState(place), options.signal);
  await checkFree(place, before, options);
  checkKindOf(before, draft);
  const staged = await stageTool(place, draft, {
    version: chooseVersion(draft, before),
    createdAt: createdAt(before),
    validator: deps.validator,
    signal: options.signal,
  });
  try {
    await carryData(before, staged);
    await options.beforeCommit?.(staged);
    options.signal?.throwIfAborted();
    return await deps.locked(async () => {
      await put(place, draft, { staged, save: options });
      return await deps.taken(name);
    }, options.signal);
  } finally {
    await Deno.remove(staged.directory, { recursive: true }).catch(() => {});
  }
}

interface PutOptions {
  staged: Tool;
  save: SaveOptions;
}

/** Under the lock: gives the staged folder its place, with a number that nobody took meanwhile. */
async function put(place: ToolPlace, draft: ToolDraft, { staged, save }: PutOptions): Promise<void> {
  const state = await currentState(place);
  await checkFree(place, state, save);
  checkKindOf(state, draft);
  const used = await archiveCurrent(place, state);
  let { manifest } = staged;
  if (used.has(manifest.version)) {
    const version = chooseVersion(draft, { ...state, used });
    manifest = { ...manifest, version };
    await finishStage({ directory: staged.directory, manifest });
  }
  if (state.scan.kind === "gone") await putFirst(place, { ...staged, manifest });
  else await commit(place, { version: manifest.version, staged: basename(staged.directory) });
}

/** A new tool: its whole folder is made aside, and appears by one rename. */
async function putFirst(place: ToolPlace, staged: Tool): Promise<void> {
  const home = place.fresh();
  try {
    await Deno.mkdir(join(home, ".versions"), { recursive: true });
    const entries = await listTree(staged.directory, ownDataFolders(staged.manifest));
    await copyTree({ from: staged.directory, to: home }, entries);
    await Deno.rename(staged.directory, join(home, ".versions", staged.manifest.version));
    await Deno.rename(home, place.home);
  } catch (error) {
    await Deno.remove(home, { recursive: true }).catch(() => {});
    throw error;
  }
}

async function checkFree(place: ToolPlace, { scan }: CurrentState, options: SaveOptions): Promise<void> {
  if (scan.kind === "gone") return;
  if (!(await Deno.lstat(place.home)).isDirectory) {
    throw new SkillzError(
      "conflict",
      `Cannot save "${place.name}": a link or file of that name lies in TOOLS_DIR, a folder must be there or nothing`,
    );
  }
  if (scan.kind === "knowledge") {
    throw new SkillzError(
      "conflict",
      `Cannot save "${place.name}": a folder of knowledge has that name, the name must be free`,
      { hint: "Choose another name, or move that folder out of TOOLS_DIR" },
    );
  }
  if (options.overwrite) return;
  const what = scan.kind === "tool"
    ? `it exists as version ${scan.tool.manifest.version}`
    : `a broken folder of that name exists (${scan.reason})`;
  throw new SkillzError("conflict", `Cannot save "${place.name}": ${what}, the name must be free`, {
    hint: "Give overwrite: true to make a new version, or choose another name",
  });
}

function checkKindOf({ scan }: CurrentState, { manifest: { tool_type } }: ToolDraft): void {
  if (scan.kind !== "tool") return;
  // What is no type is refused with the rest of the manifest.
  const wanted = manifestSchema.shape.tool_type.safeParse(tool_type);
  if (wanted.success) checkKind(scan.tool, wanted.data);
}

function chooseVersion(draft: ToolDraft, { scan, used }: CurrentState): string {
  const given = draft.manifest.version ?? undefined;
  if (given !== undefined && (typeof given !== "string" || !isVersion(given))) {
    throw new SkillzError(
      "invalid_input",
      "Cannot save the tool: version must be a semantic version, as 1.0.0",
    );
  }
  return nextVersion(used, {
    given,
    from: scan.kind === "tool" ? scan.tool.manifest.version : undefined,
  });
}

function createdAt({ scan }: CurrentState): string {
  return (scan.kind === "tool" ? scan.tool.manifest.created_at : undefined) ?? new Date().toISOString();
}

/** What the tool keeps in folders of its own goes on into the new version, unless that brings such a folder. */
async function carryData({ scan }: CurrentState, staged: Tool): Promise<void> {
  if (scan.kind !== "tool") return;
  const from = scan.tool.directory;
  for (const folder of ownDataFolders(staged.manifest)) {
    const [source, target] = [join(from, folder), join(staged.directory, folder)];
    const isThere = await Deno.lstat(target).then(() => true, () => false);
    const info = await Deno.lstat(source).catch(() => undefined);
    if (!isThere && info?.isDirectory) {
      await copyTree({ from: source, to: target }, await listTree(source, []));
    }
  }
}
