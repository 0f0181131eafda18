import { isJsonContentType, isLegacyRequest } from "@modelcontextprotocol/server";
import { SERVER_INFO } from "../../mcp/identity.ts";
import type { AccessCheck } from "./access_check.ts";
import type { Admitted, EndpointDeps } from "./endpoint.ts";
import { httpError } from "./http_error.ts";
import type { Identify } from "./identify.ts";
import { ModernEndpoint } from "./modern_endpoint.ts";
import { answerOnce } from "./one_shot.ts";
import { RateLimiter } from "./rate_limiter.ts";
import { readJson } from "./read_body.ts";
import { SseEndpoint } from "./sse_endpoint.ts";
import { StreamableEndpoint } from "./streamable_endpoint.ts";

/** Options of {@linkcode HttpHandler}. */
export interface HttpHandlerOptions extends EndpointDeps {
  readonly access: AccessCheck;
  readonly identify: Identify;
}

/** Answers HTTP requests: first whether they may come in at all, then by path. */
export class HttpHandler implements AsyncDisposable {
  readonly #options: HttpHandlerOptions;
  readonly #rate: RateLimiter;
  readonly #modern: ModernEndpoint;
  readonly #streamable: StreamableEndpoint;
  readonly #sse: SseEndpoint;
  #stopping = false;

  /** Serves from now on. */
  constructor(options: HttpHandlerOptions) {
    this.#options = options;
    this.#rate = new RateLimiter({
      perSecond: options.limits.requestsPerSecond,
      burst: options.limits.burst,
    });
    this.#modern = new ModernEndpoint(options);
    this.#streamable = new StreamableEndpoint(options);
    this.#sse = new SseEndpoint(options);
  }

  /** Sessions of the older era that are open. */
  get sessions(): number {
    return this.#streamable.size + this.#sse.size;
  }

  /** Takes nothing new from now on. */
  stop(): void {
    this.#stopping = true;
  }

  /** Answers a request from the given address. Never throws. */
  async handle(original: Request, address: string): Promise<Response> {
    const { access, logger } = this.#options;
    const { url, method, headers, body } = original;
    // The original can't be looked at any more once its client has left.
    const request = new Request(url, { method, headers });
    const refused = this.#tooLarge(request) ?? access.refuse(request);
    if (refused) return refused;
    if (method === "OPTIONS") return access.preflight(request);
    const origin = request.headers.get("origin");
    try {
      return access.allow(origin, await this.#admit({ request, body, address }));
    } catch (error) {
      logger.error("HTTP request failed", { reason: String(error) });
      return access.allow(origin, httpError(500, "Cannot serve: the server failed, its log says why"));
    }
  }

  /** Ends all sessions and streams. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping = true;
    await Promise.all([
      this.#modern[Symbol.asyncDispose](),
      this.#streamable[Symbol.asyncDispose](),
      this.#sse[Symbol.asyncDispose](),
    ]);
  }

  #tooLarge(request: Request): Response | undefined {
    const { headerBytes } = this.#options.limits;
    let bytes = request.url.length;
    for (const [name, value] of request.headers) bytes += name.length + value.length + 4;
    if (bytes <= headerBytes) return undefined;
    return httpError(431, `Cannot serve: address and headers are over ${headerBytes} bytes`);
  }

  async #admit({ request, body, address }: Arrived): Promise<Response> {
    const { identify } = this.#options;
    const { pathname } = new URL(request.url);
    if (pathname === "/health") return this.#health(request);
    const document = await identify.metadata?.(request);
    if (document) return document;
    if (this.#stopping) {
      return httpError(503, "Cannot serve: the server stops", { headers: { "retry-after": "5" } });
    }
    const identity = await identify.identify(request);
    if (identity instanceof Response) return identity;
    const wait = this.#rate.take(rateKey(request, address));
    if (wait > 0) {
      const headers = { "retry-after": String(wait) };
      return httpError(429, "Cannot serve: too many requests, send fewer", { headers });
    }
    return await this.#route(pathname, { admitted: { request, identity }, body });
  }

  async #route(pathname: string, { admitted, body }: { admitted: Admitted; body: Body }): Promise<Response> {
    const { method } = admitted.request;
    switch (pathname) {
      case "/mcp":
        return await this.#mcp(admitted, body);
      case "/sse":
        return method === "GET" ? await this.#sse.open(admitted) : notAllowed("GET");
      case "/message":
        return method === "POST" ? await this.#message(admitted, body) : notAllowed("POST");
      default:
        return httpError(404, "Cannot serve: there is nothing here, MCP is at /mcp and at /sse");
    }
  }

  async #mcp(admitted: Admitted, body: Body): Promise<Response> {
    const { request } = admitted;
    if (request.method === "GET" || request.method === "DELETE") {
      return await this.#streamable.handle(admitted, undefined);
    }
    if (request.method !== "POST") return notAllowed("GET, POST, DELETE");
    if (!isJsonContentType(request.headers.get("content-type"))) {
      return httpError(415, "Cannot read: the content type must be application/json");
    }
    const read = await readJson(body, this.#options.limits);
    if ("refusal" in read) return read.refusal;
    const legacy = await isLegacyRequest(request, read.value);
    return await (legacy ? this.#streamable : this.#modern).handle(admitted, read.value);
  }

  async #message(admitted: Admitted, body: Body): Promise<Response> {
    const read = await readJson(body, this.#options.limits);
    if ("refusal" in read) return read.refusal;
    const id = new URL(admitted.request.url).searchParams.get("sessionId");
    if (id === null) return await answerOnce(this.#options, { admitted, body: read.value });
    return this.#sse.receive(admitted, { id, body: read.value });
  }

  #health(request: Request): Response {
    if (request.method !== "GET") return notAllowed("GET");
    return Response.json({
      status: this.#stopping ? "stopping" : "ready",
      name: SERVER_INFO.name,
      version: SERVER_INFO.version,
      sessions: this.sessions,
      running_calls: this.#options.protocol.running.count,
    }, { headers: { "cache-control": "no-store" } });
  }
}

type Body = ReadableStream<Uint8Array> | null;

interface Arrived {
  readonly request: Request;
  readonly body: Body;
  readonly address: string;
}

function rateKey(request: Request, address: string): string {
  const session = request.headers.get("mcp-session-id") ?? new URL(request.url).searchParams.get("sessionId");
  return session === null ? `address ${address}` : `session ${session}`;
}

function notAllowed(allow: string): Response {
  return httpError(405, `Cannot serve: use ${allow} here`, { headers: { allow } });
}
