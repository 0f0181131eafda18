import type { JsonObject } from "../base/json.ts";
import type { BrokenTool, Tool } from "./tool.ts";

/** A tool as somebody wants to save it: manifest fields as in manifest.json, and the files beside it. */
export interface ToolDraft {
  /** Fields of manifest.json; validated on saving. `version` absent: 1.0.0, or the current one's patch + 1. */
  manifest: JsonObject;
  /** Files of the folder by relative path; folders in between are made. */
  files: Readonly<Record<string, string | Uint8Array>>;
}

/** Options of {@linkcode ToolStore.save}. */
export interface SaveOptions {
  /** Replace a tool of the same name; its state is kept as a version. Default false. */
  overwrite?: boolean;
  /**
   * Called with the whole staged folder before it takes the place of the old one (install dependencies, run examples,
   * ask the policy). If it throws, nothing has changed.
   */
  beforeCommit?: (staged: Tool) => Promise<void>;
  /** Gives up before the change takes effect. */
  signal?: AbortSignal;
}

/** One state of a tool. */
export interface VersionInfo {
  /** Its semver number. */
  version: string;
  /** ISO time at which this state was made. */
  created_at: string;
  /** Whether calls without a version get it. */
  current: boolean;
  /** The tool's description at that time. */
  description: string;
  /** Hash of manifest and code, as in {@linkcode Tool}. */
  hash: string;
}

/** All tools of one TOOLS_DIR: in memory, over an index file; safe with several servers on one folder. */
export interface ToolStore extends AsyncDisposable {
  /** Reads the folder, through the index where it is fresh. Resolves when `list` and `get` are complete. */
  load(): Promise<void>;
  /** The current version of a tool, `undefined` if there is none. Loaded state only. */
  get(name: string): Tool | undefined;
  /** All tools by name order. */
  list(): readonly Tool[];
  /** Folders that could not be loaded, with reasons. */
  broken(): readonly BrokenTool[];
  /** Saves a new tool or, with `overwrite`, a new version. Throws `conflict` when it exists, `invalid_input` otherwise. */
  save(draft: ToolDraft, options?: SaveOptions): Promise<Tool>;
  /** Removes a tool with its versions and environment. Throws `not_found`. */
  remove(name: string): Promise<void>;
  /** All versions, current first, then newest first. */
  versions(name: string): Promise<VersionInfo[]>;
  /** Every kept state of a tool but the current one that can be read, in no order. */
  earlier(name: string): Promise<readonly Tool[]>;
  /** The tool as it was in a version. Throws `not_found` naming those that exist. */
  version(name: string, version: string): Promise<Tool>;
  /** Makes an earlier version current; the current becomes a version. */
  rollback(name: string, version: string): Promise<Tool>;
  /** Looks at the folder again (all, or one tool) and publishes what changed; for hot reload and other servers' writes. */
  refresh(name?: string): Promise<void>;
}
