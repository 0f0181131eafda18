/** Bounds of what one job may have through the proxy. */
export interface EgressLimits {
  /** Connections at once; more are closed unheard. */
  readonly connections: number;
  /** Bytes in both directions together, over the whole job. */
  readonly bytes: number;
  /** Milliseconds in which a client must have said where it wants to, and in which that must be reached. */
  readonly handshakeMs: number;
  /** Milliseconds without a byte in either direction after which a connection is closed. */
  readonly idleMs: number;
  /** Bytes of the head of a request or response. */
  readonly headBytes: number;
}

/** Far above what tools need, far below what hurts the server. */
export const EGRESS_LIMITS: EgressLimits = {
  connections: 256,
  bytes: 16 * 1024 ** 3,
  handshakeMs: 20_000,
  idleMs: 300_000,
  headBytes: 32 * 1024,
};
