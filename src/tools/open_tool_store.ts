import { join } from "node:path";
import type { Bus } from "../base/bus.ts";
import { errorText, SkillzError } from "../base/errors.ts";
import type { Logger } from "../base/log.ts";
import { nearest } from "../base/nearest.ts";
import { announceChange } from "./_change_log.ts";
import { type Layout, layoutOf, STORE_FOLDERS } from "./_layout.ts";
import { isFolderName, listFolders } from "./_list_folders.ts";
import { lockStore } from "./_lock_store.ts";
import { makeFolder } from "./_make_folder.ts";
import { mapLimited } from "./_map_limited.ts";
import { isReadOnly, onDisk } from "./on_disk.ts";
import { pendingNames } from "./_pending.ts";
import { Registry } from "./_registry.ts";
import { reasonOf, type Scan, scanFolder } from "./_scan_folder.ts";
import { sweepStaging } from "./_sweep_staging.ts";
import { type IndexRecord, readIndex } from "./index_file.ts";
import { checkName, RESERVED_FOLDER } from "./names.ts";
import type { BrokenTool, Tool } from "./tool.ts";
import type { SaveOptions, ToolDraft, ToolStore, VersionInfo } from "./tool_store.ts";
import { createValidator, type Validator } from "./validator.ts";

/** Options of {@linkcode openToolStore}. */
export interface OpenToolStoreOptions {
  /** Absolute path of TOOLS_DIR; made when it is not there. */
  toolsDir: string;
  /** Hears of every change. */
  bus: Bus;
  /** Hears of what went wrong beside the point. */
  logger?: Logger;
  /**
   * Names that no tool may have: built-in tools, virtual skills.
   * @default none
   */
  reservedNames?: Iterable<string>;
  /** Shared, so that schemas are compiled once; its own when absent. */
  validator?: Validator;
}

/** Folders that are looked at side by side while loading. */
const PARALLEL = 64;

/** The tools of one TOOLS_DIR. Nothing is read before `load()`. */
export function openToolStore(options: OpenToolStoreOptions): ToolStore {
  return new FolderToolStore(options);
}

class FolderToolStore implements ToolStore {
  readonly #layout: Layout;
  readonly #registry: Registry;
  readonly #reservedNames: ReadonlySet<string>;
  readonly #validator: Validator;
  readonly #logger: Logger | undefined;
  /** What became of a manifest.json at the top. */
  #oldBroken: readonly BrokenTool[] = [];

  constructor(options: OpenToolStoreOptions) {
    this.#layout = layoutOf(options.toolsDir);
    this.#registry = new Registry({ layout: this.#layout, bus: options.bus, logger: options.logger });
    this.#reservedNames = new Set([...options.reservedNames ?? [], ...STORE_FOLDERS]);
    this.#validator = options.validator ?? createValidator();
    this.#logger = options.logger;
  }

  async load(): Promise<void> {
    await onDisk(this.#layout.root, () => Deno.mkdir(this.#layout.root, { recursive: true }));
    const [index] = await Promise.all([readIndex(this.#layout.index), this.#recover()]);
    this.#registry.adopt(index);
    await this.#moveOldManifest();
    await this.#scanAll({ silent: true });
  }

  get(name: string): Tool | undefined {
    return this.#registry.get(name);
  }

  list(): readonly Tool[] {
    return this.#registry.list();
  }

  broken(): readonly BrokenTool[] {
    return [...this.#registry.broken(), ...this.#oldBroken];
  }

  async save(draft: ToolDraft, options: SaveOptions = {}): Promise<Tool> {
    return await this.#save(draft, options);
  }

  async remove(name: string): Promise<void> {
    checkName(name);
    if (STORE_FOLDERS.has(name)) {
      throw new SkillzError("not_found", `Cannot delete "${name}": there is no tool of that name`);
    }
    const { removeTool } = await import("./remove_tool.ts");
    await this.#makeStaging();
    const place = this.#layout.tool(name);
    const free = await this.#locked(async () => {
      const free = await removeTool(place, { hint: this.#nearHint(name) });
      await this.#announce(name);
      this.#registry.apply(name, { kind: "gone" });
      this.#registry.scheduleIndex();
      return free;
    });
    await free().catch((error) => {
      this.#logger?.warn("Files of a deleted tool could not be removed", {
        tool: name,
        error: errorText(error),
      });
    });
  }

  async versions(name: string): Promise<VersionInfo[]> {
    const { listVersions } = await import("./versions.ts");
    return await listVersions(this.#layout.tool(name), this.#require(name));
  }

  async earlier(name: string): Promise<readonly Tool[]> {
    const { earlierStates } = await import("./versions.ts");
    return await earlierStates(this.#layout.tool(name), this.#require(name));
  }

  async version(name: string, version: string): Promise<Tool> {
    const { requireVersion } = await import("./versions.ts");
    return await requireVersion(this.#layout.tool(name), this.#require(name), { version });
  }

  async rollback(name: string, version: string): Promise<Tool> {
    const { rollbackTool } = await import("./versions.ts");
    this.#require(name);
    await this.#makeStaging();
    return await this.#locked(async () => {
      await rollbackTool(this.#layout.tool(name), version);
      return await this.#taken(name);
    });
  }

  async refresh(name?: string): Promise<void> {
    if (name === undefined) await this.#scanAll({ silent: false });
    else if (isFolderName(name)) await this.#lookAgain(name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#registry[Symbol.asyncDispose]();
  }

  #require(name: string): Tool {
    const tool = this.get(name);
    if (tool) return tool;
    const broken = this.broken().find((folder) => folder.folder === name);
    if (broken) {
      throw new SkillzError(
        "not_found",
        `Cannot use tool ${JSON.stringify(name)}: its folder is broken, it must load`,
        {
          hint: broken.reason,
        },
      );
    }
    const shown = JSON.stringify(name.slice(0, 80));
    if (this.#reservedNames.has(name)) {
      throw new SkillzError(
        "not_found",
        `Cannot use ${shown}: it belongs to the server, a made tool is wanted`,
      );
    }
    throw new SkillzError("not_found", `Cannot find tool ${shown}: there is none of that name`, {
      hint: this.#nearHint(name),
    });
  }

  #nearHint(name: string): string {
    const near = nearest(name, this.list().map((tool) => tool.name));
    return near.length > 0 ? `Similar names: ${near.join(", ")}` : "list_tools shows what there is";
  }

  async #save(draft: ToolDraft, options: SaveOptions): Promise<Tool> {
    const { saveTool } = await import("./save_tool.ts");
    const place = {
      layout: this.#layout,
      validator: this.#validator,
      reservedNames: this.#reservedNames,
      locked: <T>(work: () => Promise<T>, signal?: AbortSignal) => this.#locked(work, signal),
      taken: (name: string) => this.#taken(name),
    };
    return await onDisk(this.#layout.root, () => saveTool(draft, place, options));
  }

  /** Without another server's half-made change in between. */
  async #lookAgain(name: string): Promise<void> {
    try {
      await this.#locked(() => this.#look(name));
    } catch (error) {
      if (!isReadOnly(error)) throw error;
      await this.#look(name);
    }
  }

  /** Under the lock, so that what is remembered last is what was on the disk last. */
  async #look(name: string): Promise<void> {
    const scan = await this.#scan(name, this.#registry.record(name));
    this.#registry.apply(name, scan);
    this.#registry.scheduleIndex();
  }

  async #scan(name: string, known: IndexRecord | undefined): Promise<Scan> {
    const scan = await scanFolder(this.#layout.tool(name), { known });
    if (scan.kind !== "tool" || !this.#reservedNames.has(name)) return scan;
    return { kind: "broken", reason: RESERVED_FOLDER };
  }

  /** Tells the other servers of this TOOLS_DIR. The change stands, whether they can be told or not. */
  async #announce(name: string): Promise<void> {
    await announceChange(this.#layout.changes, name).catch((error) =>
      this.#logger?.warn("Other servers can't be told of a changed tool", {
        tool: name,
        error: errorText(error),
      })
    );
  }

  async #taken(name: string): Promise<Tool> {
    await this.#announce(name);
    await this.#look(name);
    return this.#require(name);
  }

  async #scanAll({ silent }: { silent: boolean }): Promise<void> {
    const before = this.#registry.records();
    const names = await listFolders(this.#layout.root);
    const scans = await mapLimited(names, async (name) => {
      return [name, await this.#scan(name, before.get(name))] as const;
    }, { limit: PARALLEL });
    this.#registry.applyAll(new Map(scans), { before, silent });
    this.#registry.scheduleIndex();
    for (const name of await pendingNames(this.#layout)) await this.#lookAgain(name);
  }

  async #recover(): Promise<void> {
    if ((await pendingNames(this.#layout)).length) await this.#locked(() => Promise.resolve());
    await sweepStaging(this.#layout, Date.now());
  }

  async #moveOldManifest(): Promise<void> {
    const there = await Deno.lstat(join(this.#layout.root, "manifest.json")).then(
      (info) => info.isFile,
      () => false,
    );
    if (!there) return;
    const { moveOldManifest } = await import("./old_manifest.ts");
    this.#oldBroken = await moveOldManifest(this.#layout.root, {
      save: async (draft) => void await this.#save(draft, {}),
      reasonOf,
    });
  }

  async #locked<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return await onDisk(this.#layout.root, () => lockStore(this.#layout, work, { signal }));
  }

  async #makeStaging(): Promise<void> {
    await onDisk(this.#layout.root, () => makeFolder(this.#layout.staging));
  }
}
