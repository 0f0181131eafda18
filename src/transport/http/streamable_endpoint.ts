import { isInitializeRequest, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import type { JsonValue } from "../../base/json.ts";
import { HeldSink } from "../../mcp/held_sink.ts";
import type { Admitted, EndpointDeps } from "./endpoint.ts";
import { EventLog } from "./event_log.ts";
import { HTTP_ERROR_CODES, httpError } from "./http_error.ts";
import { type HttpSession, HttpSessions } from "./http_sessions.ts";
import { isEventStream } from "./late_stream.ts";
import { watchStream } from "./watch_stream.ts";

/** After this many milliseconds a client whose stream broke comes back. */
const RETRY_MS = 500;

interface StreamableSession extends HttpSession {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** Keeps notifications while the client has no stream to get them on; there once the client is ready. */
  readonly held: { sink?: HeldSink };
}

/** `/mcp` for versions with `initialize`: a session for each client, whose streams can be taken up again. */
export class StreamableEndpoint implements AsyncDisposable {
  readonly #deps: EndpointDeps;
  readonly #sessions: HttpSessions<StreamableSession>;

  /** Serves from now on. */
  constructor(deps: EndpointDeps) {
    this.#deps = deps;
    this.#sessions = new HttpSessions({ max: deps.limits.sessions, idleMs: deps.limits.idleMs });
  }

  /** How many sessions there are. */
  get size(): number {
    return this.#sessions.size;
  }

  /** Answers a request; `body` is that of a POST. */
  async handle(admitted: Admitted, body: JsonValue | undefined): Promise<Response> {
    const { request, identity } = admitted;
    const id = request.headers.get("mcp-session-id");
    const starts = request.method === "POST" && isInitializeRequest(body);
    if (id === null && !starts) {
      return httpError(400, "Cannot serve: the header Mcp-Session-Id is missing, begin with initialize");
    }
    const session = id === null || starts
      ? await this.#start(admitted)
      : this.#sessions.use(id, identity.principal);
    if (session instanceof Response) return session;
    if (!session) {
      return httpError(404, "Cannot serve: there is no such session, begin anew with initialize", {
        code: HTTP_ERROR_CODES.sessionNotFound,
      });
    }
    return await this.#forward(session, { admitted, body });
  }

  /** Ends all sessions. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#sessions[Symbol.asyncDispose]();
  }

  async #start({ identity }: Admitted): Promise<StreamableSession | Response> {
    const { protocol, sessions, limits } = this.#deps;
    if (!this.#sessions.makeRoom()) {
      return httpError(503, `Cannot serve: ${limits.sessions} sessions are open, at most that many may be`, {
        headers: { "retry-after": "60" },
      });
    }
    const state = sessions.open({ era: "legacy", principal: identity.principal });
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => state.id,
      eventStore: new EventLog(),
      retryInterval: RETRY_MS,
      keepAliveMs: limits.keepAliveMs,
      // The body was read and measured already.
      maxRequestBodySize: limits.bodyBytes,
    });
    const held: StreamableSession["held"] = {};
    const server = protocol.server(state, { sink: (direct) => held.sink = new HeldSink(direct) });
    server.server.onclose = () => {
      this.#sessions.remove(state.id);
      protocol.end(state);
    };
    await server.connect(transport);
    const session = {
      id: state.id,
      principal: identity.principal,
      transport,
      held,
      close: () => server.close(),
    };
    this.#sessions.add(session);
    return session;
  }

  async #forward(
    session: StreamableSession,
    { admitted: { request, identity }, body }: { admitted: Admitted; body: JsonValue | undefined },
  ): Promise<Response> {
    const response = await session.transport.handleRequest(request, {
      ...(request.method === "POST" ? { parsedBody: body } : {}),
      ...(identity.authInfo ? { authInfo: identity.authInfo } : {}),
    });
    // A first request that was refused leaves no session behind.
    if (session.transport.sessionId === undefined) await session.close();
    if (!isEventStream(response)) return response;
    const ended = this.#sessions.streamOpened(session.id);
    const standalone = request.method === "GET";
    const watched = watchStream(response, {
      unreadBytes: this.#deps.limits.unreadBytes,
      onEnd: () => {
        ended();
        if (standalone) session.held.sink?.hold();
      },
    });
    if (standalone) session.held.sink?.open();
    return watched;
  }
}
