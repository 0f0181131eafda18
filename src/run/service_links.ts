import type { JsonObject } from "../base/json.ts";

/** The services that a tool requires, as it reaches them. */
export interface ServiceBindings {
  /** `context.services`: by name `{host, port, ports}`. */
  readonly context: JsonObject;
  /** `NAME_HOST`, `NAME_PORT`, … */
  readonly env: Readonly<Record<string, string>>;
  /** `host:port` of each, to be let through by the sandbox. */
  readonly addresses: readonly string[];
}

/** Knows running services; declared here, implemented above. */
export interface ServiceLinks {
  /**
   * How the named services are reached. Throws `SkillzError("unavailable")` with the call that mends it when one is not
   * defined, not running, or not healthy.
   */
  resolve(names: readonly string[], options: { signal: AbortSignal }): Promise<ServiceBindings>;
}
