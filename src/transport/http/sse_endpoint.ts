import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import type { JsonValue } from "../../base/json.ts";
import { readFrame } from "../frame.ts";
import type { Admitted, EndpointDeps } from "./endpoint.ts";
import { HTTP_ERROR_CODES, httpError } from "./http_error.ts";
import { type HttpSession, HttpSessions } from "./http_sessions.ts";
import { SseTransport } from "./sse_transport.ts";
import { watchStream } from "./watch_stream.ts";

interface SseSession extends HttpSession {
  readonly transport: SseTransport;
}

/** `/sse` and `/message` for clients of 2024-11-05: a session lasts as long as its stream. */
export class SseEndpoint implements AsyncDisposable {
  readonly #deps: EndpointDeps;
  readonly #sessions: HttpSessions<SseSession>;

  /** Serves from now on. */
  constructor(deps: EndpointDeps) {
    this.#deps = deps;
    this.#sessions = new HttpSessions({ max: deps.limits.sessions, idleMs: deps.limits.idleMs });
  }

  /** How many sessions there are. */
  get size(): number {
    return this.#sessions.size;
  }

  /** Opens a session and its stream. */
  async open({ identity }: Admitted): Promise<Response> {
    const { protocol, sessions, limits } = this.#deps;
    if (!this.#sessions.makeRoom()) {
      return httpError(503, `Cannot serve: ${limits.sessions} sessions are open, at most that many may be`, {
        headers: { "retry-after": "60" },
      });
    }
    const state = sessions.open({ era: "legacy", principal: identity.principal });
    const { id } = state;
    const transport = new SseTransport({
      sessionId: id,
      endpoint: `/message?sessionId=${id}`,
      keepAliveMs: limits.keepAliveMs,
    });
    const server = protocol.server(state);
    server.server.onclose = () => {
      this.#sessions.remove(id);
      protocol.end(state);
    };
    await server.connect(transport);
    this.#sessions.add({ id, principal: identity.principal, transport, close: () => server.close() });
    const ended = this.#sessions.streamOpened(id);
    return watchStream(transport.response, { unreadBytes: limits.unreadBytes, onEnd: ended });
  }

  /** Takes a message for a session; its answer goes out on the session's stream. */
  receive({ request, identity }: Admitted, { id, body }: { id: string; body: JsonValue }): Response {
    const session = this.#sessions.use(id, identity.principal);
    if (!session) {
      return httpError(404, "Cannot serve: there is no such session, open one with GET /sse", {
        code: HTTP_ERROR_CODES.sessionNotFound,
      });
    }
    const frame = Array.isArray(body) ? undefined : readFrame(body);
    if (!frame || frame.kind === "batch") return httpError(400, "Cannot serve: send one message at a time");
    if (frame.kind === "invalid") return Response.json(frame.reply, { status: 400 });
    const { authInfo } = identity;
    // Its shape was checked by `readFrame`.
    const message = frame.message as unknown as JSONRPCMessage;
    queueMicrotask(() => session.transport.receive(message, { request, ...(authInfo ? { authInfo } : {}) }));
    return new Response("Accepted", { status: 202 });
  }

  /** Ends all sessions. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#sessions[Symbol.asyncDispose]();
  }
}
