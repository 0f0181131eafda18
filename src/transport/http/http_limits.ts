/** Bounds that keep one client from harming the others. */
export interface HttpLimits {
  /** Most bytes of a request's body. */
  readonly bodyBytes: number;
  /** Longest that a body may take to arrive, in milliseconds. */
  readonly bodyMs: number;
  /** Most bytes of all headers and of the address. */
  readonly headerBytes: number;
  /** Most sessions at once, of both older transports together. */
  readonly sessions: number;
  /** How long a session without an open stream is kept after its last request, in milliseconds. */
  readonly idleMs: number;
  /** Requests a second that one session, or one address before it has a session, may send in the long run. */
  readonly requestsPerSecond: number;
  /** Requests that it may send at once. */
  readonly burst: number;
  /** Most bytes that wait for a client that does not read. */
  readonly unreadBytes: number;
  /** Pause between two signs of life on an open stream, in milliseconds. */
  readonly keepAliveMs: number;
  /** How long requests that are under way when the server stops may take, in milliseconds. */
  readonly drainMs: number;
}

/** The bounds in force unless others are given. */
export const HTTP_LIMITS: HttpLimits = {
  bodyBytes: 16 * 1024 * 1024,
  bodyMs: 30_000,
  headerBytes: 64 * 1024,
  sessions: 1_000,
  idleMs: 60 * 60_000,
  requestsPerSecond: 500,
  burst: 2_000,
  unreadBytes: 64 * 1024 * 1024,
  keepAliveMs: 15_000,
  drainMs: 5_000,
};
