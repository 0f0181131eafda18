/** What a transport keeps for one client. */
export interface HttpSession {
  /** What the client sends back with each request. */
  readonly id: string;
  /** Whose it is; nobody else may use it. */
  readonly principal: string;
  /** Ends it and everything that belongs to it. */
  close(): Promise<void>;
}

/** Options of {@linkcode HttpSessions}. */
export interface HttpSessionsOptions {
  /** Most at once. */
  readonly max: number;
  /** How long one without an open stream is kept after its last request, in milliseconds. */
  readonly idleMs: number;
  /** The time in milliseconds. */
  readonly now?: () => number;
}

/** A session that was idle for less is not given up for a new one, in milliseconds. */
const EVICT_AFTER_MS = 60_000;

interface Entry<T extends HttpSession> {
  readonly session: T;
  streams: number;
  lastUsed: number;
}

/** The sessions of one transport. Those that their clients forgot go away by themselves. */
export class HttpSessions<T extends HttpSession> implements AsyncDisposable {
  readonly #entries = new Map<string, Entry<T>>();
  readonly #options: HttpSessionsOptions;
  readonly #now: () => number;
  readonly #sweeper: ReturnType<typeof setInterval>;

  /** Looks for idle sessions from now on. */
  constructor(options: HttpSessionsOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#sweeper = setInterval(() => this.sweep(), Math.max(1_000, Math.min(options.idleMs / 4, 60_000)));
    Deno.unrefTimer(this.#sweeper);
  }

  /** How many there are. */
  get size(): number {
    return this.#entries.size;
  }

  /**
   * Whether there is room for one more. When there is not, the one that was idle longest is given up if it has been
   * idle for a while.
   */
  makeRoom(): boolean {
    if (this.#entries.size < this.#options.max) return true;
    let oldest: Entry<T> | undefined;
    for (const entry of this.#entries.values()) {
      if (entry.streams === 0 && entry.lastUsed < (oldest?.lastUsed ?? Infinity)) oldest = entry;
    }
    if (!oldest || this.#now() - oldest.lastUsed < EVICT_AFTER_MS) return false;
    this.#end(oldest.session);
    return true;
  }

  /** Adds a session. */
  add(session: T): void {
    this.#entries.set(session.id, { session, streams: 0, lastUsed: this.#now() });
  }

  /** The session of that id if it is this principal's; it counts as used now. */
  use(id: string, principal: string): T | undefined {
    const entry = this.#entries.get(id);
    if (entry?.session.principal !== principal) return undefined;
    entry.lastUsed = this.#now();
    return entry.session;
  }

  /** Counts an open stream of a session; returns how to say that it is over. */
  streamOpened(id: string): () => void {
    const entry = this.#entries.get(id);
    if (!entry) return () => {};
    entry.streams++;
    return () => {
      entry.streams--;
      entry.lastUsed = this.#now();
    };
  }

  /** Forgets a session that has ended. */
  remove(id: string): void {
    this.#entries.delete(id);
  }

  /** Ends the sessions that nobody has used for long. */
  sweep(): void {
    for (const entry of [...this.#entries.values()]) {
      if (entry.streams === 0 && this.#now() - entry.lastUsed > this.#options.idleMs) {
        this.#end(entry.session);
      }
    }
  }

  /** Ends all sessions. */
  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#sweeper);
    await Promise.all([...this.#entries.values()].map(({ session }) => this.#end(session)));
  }

  async #end(session: T): Promise<void> {
    this.#entries.delete(session.id);
    await session.close().catch(() => {});
  }
}
