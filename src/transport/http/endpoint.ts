import type { Logger } from "../../base/log.ts";
import type { Protocol } from "../../mcp/protocol.ts";
import type { SessionStore } from "../../mcp/session_store.ts";
import type { HttpLimits } from "./http_limits.ts";
import type { Identity } from "./identify.ts";

/** What every endpoint is built on. */
export interface EndpointDeps {
  readonly protocol: Protocol;
  readonly sessions: SessionStore;
  readonly logger: Logger;
  readonly limits: HttpLimits;
}

/** A request that was let in, with its sender. */
export interface Admitted {
  /** A copy without the body, good to look at after the client has left too. */
  readonly request: Request;
  readonly identity: Identity;
}
