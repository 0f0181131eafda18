import { createMcpHandler, type McpHttpHandler } from "@modelcontextprotocol/server";
import type { JsonValue } from "../../base/json.ts";
import type { Session } from "../../mcp/session.ts";
import type { Admitted, EndpointDeps } from "./endpoint.ts";
import { httpError } from "./http_error.ts";
import { HttpSessions } from "./http_sessions.ts";
import { EVENTS, isEventStream, lateStream } from "./late_stream.ts";
import { watchStream } from "./watch_stream.ts";

interface PrincipalState {
  readonly id: string;
  readonly principal: string;
  readonly session: Session;
  readonly handler: McpHttpHandler;
  close(): Promise<void>;
}

/**
 * `/mcp` for versions without `initialize`. Each request stands alone; what lasts (active skills, open subscriptions)
 * belongs to the principal.
 */
export class ModernEndpoint implements AsyncDisposable {
  readonly #deps: EndpointDeps;
  readonly #principals: HttpSessions<PrincipalState>;

  /** Serves from now on. */
  constructor(deps: EndpointDeps) {
    this.#deps = deps;
    this.#principals = new HttpSessions({ max: deps.limits.sessions, idleMs: deps.limits.idleMs });
  }

  /** Answers a request; `body` is that of a POST. */
  async handle({ request, identity }: Admitted, body: JsonValue | undefined): Promise<Response> {
    const state = this.#stateOf(identity.principal);
    if (state instanceof Response) return state;
    const { keepAliveMs, unreadBytes } = this.#deps.limits;
    const response = await lateStream((left) =>
      state.handler.fetch(new Request(request, { signal: left }), {
        ...(body === undefined ? {} : { parsedBody: body }),
        ...(identity.authInfo ? { authInfo: identity.authInfo } : {}),
      }), { keepAliveMs, format: EVENTS });
    if (!isEventStream(response)) return response;
    return watchStream(response, { unreadBytes, onEnd: this.#principals.streamOpened(state.id) });
  }

  /** Ends everything. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#principals[Symbol.asyncDispose]();
  }

  #stateOf(principal: string): PrincipalState | Response {
    const id = `principal ${principal}`;
    const known = this.#principals.use(id, principal);
    if (known) return known;
    if (!this.#principals.makeRoom()) {
      return httpError(503, "Cannot serve: too many clients are active", {
        headers: { "retry-after": "60" },
      });
    }
    const { protocol, sessions, limits, logger } = this.#deps;
    const session = sessions.open({ era: "modern", principal, id });
    const handler = createMcpHandler(() => protocol.server(session), {
      legacy: "reject",
      keepAliveMs: limits.keepAliveMs,
      maxRequestBodySize: limits.bodyBytes,
      onerror: (error) => logger.debug("Protocol error", { reason: error.message }),
    });
    protocol.ready(session);
    session.sink = handler.notify;
    const state: PrincipalState = {
      id,
      principal,
      session,
      handler,
      async close() {
        protocol.end(session);
        await handler.close();
      },
    };
    this.#principals.add(state);
    return state;
  }
}
