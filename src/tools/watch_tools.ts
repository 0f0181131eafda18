import { relative } from "node:path";
import { errorText } from "../base/errors.ts";
import type { Logger } from "../base/log.ts";
import { wait } from "../base/wait.ts";
import { layoutOf } from "./_layout.ts";
import { isFolderName } from "./_list_folders.ts";
import { scanFolder } from "./_scan_folder.ts";
import { isSkipped } from "./_tree.ts";
import { watchedFolders } from "./_watched_folders.ts";
import type { ToolStore } from "./tool_store.ts";

/** What {@linkcode watchTools} needs. */
export interface WatchToolsOptions {
  /** Is told to look again at each folder that changed. */
  store: Pick<ToolStore, "refresh">;
  /** Absolute path of TOOLS_DIR. */
  toolsDir: string;
  /** Hears why a watch can't be had. */
  logger?: Logger;
  /**
   * For how many milliseconds a folder that can't be loaded counts as half-written.
   * @default 1500
   */
  patienceMs?: number;
}

/** Editors and copies make many events at once. */
const QUIET_MS = 80;
/** How often is looked where the system lets us watch nothing. */
const POLL_MS = 700;

/** Keeps a store in step with edits by hand until disposed. Resolves when changes are seen from then on. */
export async function watchTools(options: WatchToolsOptions): Promise<AsyncDisposable> {
  const watch = new ToolWatch(options);
  await watch.open();
  return watch;
}

class ToolWatch implements AsyncDisposable {
  readonly #options: WatchToolsOptions;
  readonly #end = new AbortController();
  /** Folders to look at, with the time when each was first seen to change. */
  readonly #changed = new Map<string, number>();
  #watcher: Deno.FsWatcher | undefined;
  #watched: readonly string[] = [];
  /** Whether a folder may have come or gone. */
  #moved = false;
  /** Loops that read events; each ends when its watcher is closed. */
  readonly #readers = new Set<Promise<void>>();
  #worker: Promise<void> = Promise.resolve();
  #wake: () => void = () => {};

  constructor(options: WatchToolsOptions) {
    this.#options = options;
  }

  async open(): Promise<void> {
    await this.#rewatch();
    this.#worker = this.#work();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort();
    this.#watcher?.close();
    this.#watcher = undefined;
    this.#wake();
    await Promise.allSettled([this.#worker, ...this.#readers]);
  }

  /** Watches the folders that there are now; no watcher is left when the system refuses. True if they are others. */
  async #rewatch(): Promise<boolean> {
    for (let tries = 1;; tries++) {
      this.#moved = false;
      const folders = await watchedFolders(this.#options.toolsDir);
      if (this.#end.signal.aborted || folders.join("\0") === this.#watched.join("\0")) return false;
      const old = this.#watcher;
      try {
        this.#watcher = Deno.watchFs(folders, { recursive: false });
        this.#watched = folders;
        const reader = this.#read(this.#watcher).finally(() => this.#readers.delete(reader));
        this.#readers.add(reader);
        return true;
      } catch (error) {
        // One of them has gone since it was listed.
        if (error instanceof Deno.errors.NotFound && tries < 10) continue;
        this.#watcher = undefined;
        this.#options.logger?.warn("TOOLS_DIR can't be watched, it is looked at regularly instead", {
          error: errorText(error),
        });
        return true;
      } finally {
        // The new one first: what happens in between is then told twice, not never.
        if (this.#watcher !== old) old?.close();
      }
    }
  }

  async #read(watcher: Deno.FsWatcher): Promise<void> {
    for await (const event of watcher) {
      if (event.kind === "access") continue;
      if (event.kind !== "modify") this.#moved = true;
      for (const path of event.paths) this.#note(path);
    }
  }

  #note(path: string): void {
    const [name = "", ...inner] = relative(this.#options.toolsDir, path).split(/[/\\]/);
    if (!isFolderName(name)) return;
    if (inner.length && isSkipped(inner.join("/"), [])) return;
    if (!this.#changed.has(name)) this.#changed.set(name, Date.now());
    this.#wake();
  }

  async #work(): Promise<void> {
    const { signal } = this.#end;
    while (!signal.aborted) {
      if (!this.#watcher) {
        await wait(POLL_MS, { signal }).catch(() => {});
        if (!signal.aborted) await this.#options.store.refresh().catch((error) => this.#complain(error));
        continue;
      }
      if (this.#changed.size === 0) await new Promise<void>((resolve) => this.#wake = resolve);
      if (signal.aborted) return;
      await wait(QUIET_MS, { signal }).catch(() => {});
      const batch = [...this.#changed];
      const others = this.#moved && await this.#rewatch();
      for (const [name, since] of batch) {
        if (signal.aborted) return;
        await this.#look(name, since).catch((error) => {
          this.#changed.delete(name);
          this.#complain(error, name);
        });
        // A folder that was not watched until now may have changed unseen.
        if (others && !this.#changed.has(name)) this.#changed.set(name, Date.now());
      }
    }
  }

  async #look(name: string, since: number): Promise<void> {
    const scan = await scanFolder(layoutOf(this.#options.toolsDir).tool(name));
    if (scan.kind === "broken" && Date.now() - since < (this.#options.patienceMs ?? 1500)) return;
    // From here on an event means a change that this look may not have seen.
    this.#changed.delete(name);
    await this.#options.store.refresh(name);
  }

  #complain(error: unknown, tool?: string): void {
    this.#options.logger?.warn("Changed tools can't be looked at", { tool, error: errorText(error) });
  }
}
