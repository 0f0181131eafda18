import type { Bus } from "../base/bus.ts";
import type { Database } from "./database.ts";
import { LibsqlMemoryStore } from "./_libsql_memory_store.ts";
import { migrate } from "./_migrate.ts";
import type { MemoryStore } from "./memory_store.ts";
import { openLocal } from "./open_local.ts";
import { openRemote } from "./open_remote.ts";

/** Where memory is kept: a file, made on first use, or a remote libSQL server. */
export type MemoryPlace = { readonly path: string } | { readonly url: string; readonly token?: string };

/** Options of {@linkcode openMemoryStore}. */
export interface OpenMemoryOptions {
  /** Hears of every change. */
  bus?: Bus;
  /**
   * The clock, in milliseconds since the epoch.
   * @default Date.now
   */
  now?: () => number;
}

/**
 * The memory of all tools. Nothing is loaded, opened or made before the first use; an opening that failed is tried
 * again by the next use, so that a repaired file needs no restart.
 *
 * @example
 * ```ts
 * import { openMemoryStore } from "./open_memory_store.ts";
 *
 * async function visits(path: string): Promise<number> {
 *   await using memory = openMemoryStore({ path });
 *   const before = Number((await memory.get("greeter", "visits"))?.value ?? 0);
 *   await memory.set("greeter", "visits", before + 1, { ttl: 3600 });
 *   return before + 1;
 * }
 * ```
 */
export function openMemoryStore(place: MemoryPlace, options: OpenMemoryOptions = {}): MemoryStore {
  const now = options.now ?? Date.now;
  const open = async (): Promise<Database> => {
    const where = "path" in place ? JSON.stringify(place.path) : "on the remote server";
    const db = await ("path" in place ? openLocal(place.path) : openRemote(place.url, place.token));
    try {
      await migrate(db, { where, now: now() });
      return db;
    } catch (error) {
      await db[Symbol.asyncDispose]();
      throw error;
    }
  };
  return new LibsqlMemoryStore(open, { now, ...(options.bus ? { bus: options.bus } : {}) });
}
