import { type Era, Session } from "./session.ts";

/** Options of {@linkcode SessionStore}. */
export interface SessionStoreOptions {
  /** Skills that are active in every new session. */
  readonly active?: Iterable<string>;
}

/** Options of {@linkcode SessionStore.open}. */
export interface OpenSessionOptions {
  readonly era: Era;
  /** Who is behind it. */
  readonly principal: string;
  /** Id to use; a fresh one if absent. */
  readonly id?: string;
}

/** All sessions of the process. */
export class SessionStore {
  readonly #sessions = new Map<string, Session>();
  readonly #start: readonly string[];
  readonly #listeners = new Set<(session: Session) => void>();

  /** Makes an empty store. */
  constructor(options: SessionStoreOptions = {}) {
    this.#start = [...(options.active ?? [])];
  }

  /** Starts a session, or returns the one that has the given id. */
  open(options: OpenSessionOptions): Session {
    const id = options.id ?? crypto.randomUUID();
    const known = this.#sessions.get(id);
    if (known) return known;
    const session = new Session({ id, era: options.era, principal: options.principal, active: this.#start });
    this.#sessions.set(id, session);
    return session;
  }

  /** The session of that id. */
  get(id: string): Session | undefined {
    return this.#sessions.get(id);
  }

  /** Forgets a session. */
  close(id: string): void {
    this.#sessions.delete(id);
  }

  /** All sessions there are. */
  all(): Iterable<Session> {
    return this.#sessions.values();
  }

  /** How many there are. */
  get size(): number {
    return this.#sessions.size;
  }

  /** What is active for a session; for one that is gone, what a new one would have. */
  active(sessionId: string): ReadonlySet<string> {
    return this.#sessions.get(sessionId)?.active ?? new Set(this.#start);
  }

  /** Adds and removes active skills of a session and tells listeners if its tool list changed. */
  change(sessionId: string, change: { add?: readonly string[]; remove?: readonly string[] }): void {
    const session = this.#sessions.get(sessionId);
    if (!session?.change(change)) return;
    for (const listener of this.#listeners) listener(session);
  }

  /** Calls `listener` whenever a session's active skills changed; returns how to stop that. */
  onActiveChanged(listener: (session: Session) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }
}
