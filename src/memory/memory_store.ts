import type { JsonObject, JsonValue } from "../base/json.ts";

/** A stored value with its times (ISO). */
export interface MemoryEntry {
  /** Unique in its namespace. */
  key: string;
  /** Any JSON. */
  value: JsonValue;
  /** When the key was first stored. */
  created_at: string;
  /** When the value was last stored. */
  updated_at: string;
  /** Absent when it never expires. */
  expires_at?: string;
}

/** What one namespace (or all) holds. */
export interface MemoryStats {
  /** How many keys are stored. */
  entries: number;
  /** Size of their values as JSON. */
  bytes: number;
  /** How many tools have stored something. */
  namespaces: number;
}

/** Persistent key-value memory; each tool has a namespace of its own. Expired entries are never seen. */
export interface MemoryStore extends AsyncDisposable {
  /** Stores a value. `ttl` in seconds, above 0. Throws `limit` when a value (1 MiB) or namespace is too large. */
  set(namespace: string, key: string, value: JsonValue, options?: { ttl?: number }): Promise<void>;
  /** The entry of a key; undefined when there is none, or when it has expired. */
  get(namespace: string, key: string): Promise<MemoryEntry | undefined>;
  /** Keys in order, with their entries. */
  list(namespace: string, options?: { prefix?: string; limit?: number }): Promise<MemoryEntry[]>;
  /** Keys in order, without reading the values. */
  keys(namespace: string, options?: { prefix?: string; limit?: number }): Promise<string[]>;
  /** Names of the namespaces that hold anything, in order. */
  namespaces(): Promise<string[]>;
  /** Whether there was something to delete. */
  delete(namespace: string, key: string): Promise<boolean>;
  /** Deletes a whole namespace; returns how many entries. */
  clear(namespace: string): Promise<number>;
  /** Stores several at once, all or none. */
  bulkSet(
    namespace: string,
    entries: readonly { key: string; value: JsonValue; ttl?: number }[],
  ): Promise<void>;
  /** Full-text search over keys and values. */
  search(namespace: string, query: string, options?: { limit?: number }): Promise<MemoryEntry[]>;
  /** Merges an object into a stored object (shallow); stores it when absent. Returns the new value. */
  update(namespace: string, key: string, patch: JsonObject, options?: { ttl?: number }): Promise<JsonValue>;
  /** Counts one namespace, or all of them. */
  stats(namespace?: string): Promise<MemoryStats>;
}
