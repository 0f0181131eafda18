/**
 * A way out of an empty network namespace that lets through exactly the granted hosts. Declared here because every
 * enforcer needs one; `sandbox/egress/` is the one that we have.
 */
export interface EgressProxy extends AsyncDisposable {
  /** Unix socket outside, to be seen inside at the same path. */
  readonly socketPath: string;
  /** More paths that must be seen inside, read-only. */
  readonly needs: readonly string[];
  /** Variables that make programs use it. */
  env(): Readonly<Record<string, string>>;
  /** The command line that sets up the inner end and then becomes, or starts, `command`. */
  command(command: readonly string[]): readonly string[];
  /** Hosts (with port) that were asked for and refused so far. */
  denied(): readonly string[];
}

/** What an {@linkcode EgressProxy} is opened with. */
export interface EgressRequest {
  /** Granted hosts as the manifest has them. */
  readonly hosts: readonly string[];
  /** Addresses of granted services, `host:port`. */
  readonly services: readonly string[];
  readonly signal: AbortSignal;
}

/** Opens the proxy of one job. */
export type OpenEgress = (request: EgressRequest) => Promise<EgressProxy>;
