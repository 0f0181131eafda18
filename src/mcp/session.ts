import type { McpLogLevel } from "../run/call_context.ts";
import { RootsCache } from "./roots_cache.ts";

/** Protocol era: with `initialize` and real requests to the client, or without. */
export type Era = "legacy" | "modern";

/** Where a session's change notifications go. */
export interface ChangeSink {
  /** `tools/list` changed. */
  toolsChanged(): void;
  /** `prompts/list` changed. */
  promptsChanged(): void;
  /** `resources/list` changed. */
  resourcesChanged(): void;
  /** The contents of a resource changed. */
  resourceUpdated(uri: string): void;
}

/** Options of {@linkcode Session}. */
export interface SessionOptions {
  /** Unique in the process; over HTTP also what the client sends. */
  readonly id: string;
  readonly era: Era;
  /** Who is behind it; sessions of one principal may continue each other's calls. */
  readonly principal: string;
  /** Skills that are active from the start. */
  readonly active: Iterable<string>;
}

/**
 * All that is kept for one client: a connection in the older era; in the newer one, which has no connections, the
 * process (stdio) or the authorised principal (HTTP).
 */
export class Session {
  /** Unique in the process. */
  readonly id: string;
  readonly era: Era;
  /** Who is authorised; sessions of others share nothing with it. */
  readonly principal: string;
  /** Resources it wants to hear about (older era; the newer one subscribes by open streams). */
  readonly subscriptions: Set<string> = new Set();
  readonly roots: RootsCache = new RootsCache();
  /** Least grave level of messages that it wants. */
  logLevel: McpLogLevel = "info";
  /** Name and version of the client, once known. */
  client?: string;
  /** Where notifications go, once the client is ready for them. */
  sink?: ChangeSink;
  #active: ReadonlySet<string>;

  /** Makes a session that nothing is known about yet. */
  constructor(options: SessionOptions) {
    this.id = options.id;
    this.era = options.era;
    this.principal = options.principal;
    this.#active = new Set(options.active);
  }

  /** Its active skills. */
  get active(): ReadonlySet<string> {
    return this.#active;
  }

  /** Adds and removes active skills; returns whether that changed anything. */
  change(change: { add?: readonly string[]; remove?: readonly string[] }): boolean {
    const next = new Set(this.#active);
    for (const name of change.remove ?? []) next.delete(name);
    for (const name of change.add ?? []) next.add(name);
    const changed = next.size !== this.#active.size || [...next].some((name) => !this.#active.has(name));
    if (changed) this.#active = next;
    return changed;
  }
}
