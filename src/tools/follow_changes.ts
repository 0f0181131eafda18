import { errorText } from "../base/errors.ts";
import type { Logger } from "../base/log.ts";
import { wait } from "../base/wait.ts";
import { changeLogSize, readChanges } from "./_change_log.ts";
import { layoutOf } from "./_layout.ts";
import { isFolderName } from "./_list_folders.ts";
import type { ToolStore } from "./tool_store.ts";

/** What {@linkcode followChanges} needs. */
export interface FollowChangesOptions {
  /** Is told to look again at what another server changed. */
  readonly store: Pick<ToolStore, "refresh">;
  /** Absolute path of TOOLS_DIR. */
  readonly toolsDir: string;
  /** What {@linkcode changesSoFar} gave before the store was loaded. */
  readonly from: number;
  /** Hears why changes can't be followed. */
  readonly logger?: Logger;
}

/** A save makes several events. */
const QUIET_MS = 20;
/** How often is looked where the system lets us watch nothing, and how soon a lost file is made again. */
const POLL_MS = 1_000;

/** How much the servers of a TOOLS_DIR have told each other up to now, for {@linkcode followChanges}. */
export async function changesSoFar(toolsDir: string): Promise<number> {
  return await changeLogSize(layoutOf(toolsDir).changes);
}

/**
 * Keeps a store in step with what other servers of the same TOOLS_DIR save, roll back and remove, until disposed. Edits
 * by hand are not seen, see `watchTools`. Resolves when changes are seen from then on.
 */
export async function followChanges(options: FollowChangesOptions): Promise<AsyncDisposable> {
  const follower = new Follower(options);
  await follower.open();
  return follower;
}

class Follower implements AsyncDisposable {
  readonly #options: FollowChangesOptions;
  readonly #path: string;
  readonly #end = new AbortController();
  #from: number;
  #watcher: Deno.FsWatcher | undefined;
  #work: Promise<void> = Promise.resolve();

  constructor(options: FollowChangesOptions) {
    this.#options = options;
    this.#path = layoutOf(options.toolsDir).changes;
    this.#from = options.from;
  }

  async open(): Promise<void> {
    await this.#watch();
    this.#work = this.#follow();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort();
    this.#watcher?.close();
    await this.#work;
  }

  /** Watches the file, which it makes; without a watcher the file is looked at regularly. */
  async #watch(): Promise<void> {
    try {
      await Deno.writeTextFile(this.#path, "", { append: true });
      this.#watcher = Deno.watchFs(this.#path, { recursive: false });
    } catch (error) {
      this.#options.logger?.debug("What other servers change is looked for regularly", {
        error: errorText(error),
      });
    }
  }

  async #follow(): Promise<void> {
    const { signal } = this.#end;
    while (!signal.aborted) {
      // What came before the watch began.
      await this.#look();
      if (this.#watcher) await this.#readEvents(this.#watcher);
      if (!await this.#pause(POLL_MS)) return;
      if (this.#watcher) await this.#watch();
    }
  }

  /** Until the watcher is closed or its file is gone. */
  async #readEvents(watcher: Deno.FsWatcher): Promise<void> {
    for await (const { kind } of watcher) {
      if (kind === "remove") {
        // Nobody can tell what a new file in its place leaves out.
        this.#from = Infinity;
        break;
      }
      if (kind === "access" || !await this.#pause(QUIET_MS)) continue;
      await this.#look();
    }
  }

  async #look(): Promise<void> {
    const { store, logger } = this.#options;
    try {
      const { names, end } = await readChanges(this.#path, this.#from);
      this.#from = end;
      if (names === undefined) return await store.refresh();
      for (const name of names) if (isFolderName(name)) await store.refresh(name);
    } catch (error) {
      logger?.warn("Tools that another server changed can't be looked at", { error: errorText(error) });
    }
  }

  /** Whether it was waited to the end, and not until the disposal. */
  async #pause(ms: number): Promise<boolean> {
    return await wait(ms, { signal: this.#end.signal }).then(() => true, () => false);
  }
}
