import { lookup } from "node:dns/promises";
import { SkillzError } from "../../base/errors.ts";
import { wait } from "../../base/wait.ts";
import { AccessCheck } from "./access_check.ts";
import type { EndpointDeps } from "./endpoint.ts";
import { HttpHandler } from "./http_handler.ts";
import { HTTP_LIMITS, type HttpLimits } from "./http_limits.ts";
import { type Identify, identifyAnyone, identifyByToken } from "./identify.ts";
import type { OAuthOptions } from "./identify_by_oauth.ts";

/** Options of {@linkcode serveHttp}. */
export interface ServeHttpOptions extends Omit<EndpointDeps, "limits"> {
  /** Address or name to listen on. */
  readonly hostname: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** Bearer token that clients must show. */
  readonly authToken?: string;
  /** Accept tokens of an OAuth issuer instead. */
  readonly oauth?: OAuthOptions;
  /** Let anybody in, from other machines too. */
  readonly allowAnonymous?: boolean;
  /** More host names that requests may be addressed to. */
  readonly allowedHosts?: readonly string[];
  /** Origins whose pages may use the server. */
  readonly allowedOrigins?: readonly string[];
  /** Other bounds than the usual ones. */
  readonly limits?: Partial<HttpLimits>;
}

/** A server over HTTP. */
export interface HttpServer extends AsyncDisposable {
  /** The port that it listens on. */
  readonly port: number;
  /** Address to give to clients. */
  readonly url: string;
  /** Resolves when it has stopped. */
  readonly finished: Promise<void>;
  /** Takes nothing new, lets running calls end for a bounded time, then ends everything. Harmless when repeated. */
  close(): Promise<void>;
}

/** Between the end of a call and its answer being on the way, in milliseconds. */
const LAST_ANSWER_MS = 20;

/** How long connections may take to go away once everything on them has ended, in milliseconds. */
const GOODBYE_MS = 1_000;

/**
 * Serves MCP over HTTP. Throws `SkillzError("denied")` for an address that others can reach when nobody has to prove
 * who they are, `SkillzError("unavailable")` when it can't listen.
 */
export async function serveHttp(options: ServeHttpOptions): Promise<HttpServer> {
  const { hostname, logger, protocol } = options;
  const limits = { ...HTTP_LIMITS, ...options.limits };
  const identify = await chooseIdentify(options);
  const local = await isLocal(hostname);
  if (!local && !identify.required) refuseOrWarn(options);
  const access = new AccessCheck({ ...options, local, authenticated: identify.required });
  const handler = new HttpHandler({ ...options, limits, access, identify });
  const abort = new AbortController();
  const server = await listen(options, { handler, signal: abort.signal });
  const { port } = server.addr;
  let closing: Promise<void> | undefined;
  const close = async () => {
    handler.stop();
    await wait(limits.drainMs, { until: protocol.running.idle() });
    await wait(LAST_ANSWER_MS);
    await handler[Symbol.asyncDispose]();
    let down = false;
    const shutdown = server.shutdown().then(() => {
      down = true;
    });
    await wait(GOODBYE_MS, { until: shutdown });
    if (!down) abort.abort();
  };
  const url = `http://${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}`;
  logger.info(`Listening on ${url}`, { mcp: `${url}/mcp`, sse: `${url}/sse` });
  return {
    port,
    url,
    finished: server.finished,
    close: () => closing ??= close(),
    [Symbol.asyncDispose]: () => closing ??= close(),
  };
}

async function listen(
  { hostname, port, logger }: ServeHttpOptions,
  { handler, signal }: { handler: HttpHandler; signal: AbortSignal },
): Promise<Deno.HttpServer<Deno.NetAddr>> {
  try {
    return Deno.serve({
      hostname,
      port,
      signal,
      onListen: () => {},
      onError(error) {
        logger.error("HTTP connection failed", { reason: String(error) });
        return new Response(null, { status: 500 });
      },
    }, (request, info) => handler.handle(request, info.remoteAddr.hostname));
  } catch (error) {
    await handler[Symbol.asyncDispose]();
    const where = `${hostname} port ${port}`;
    if (error instanceof Deno.errors.AddrInUse) {
      throw new SkillzError("unavailable", `Cannot listen on ${where}: another program does`, {
        hint: "End it, or choose another port with --port; 0 picks a free one",
        cause: error,
      });
    }
    throw new SkillzError("unavailable", `Cannot listen on ${where}: ${String(error)}`, { cause: error });
  }
}

async function chooseIdentify({ authToken, oauth }: ServeHttpOptions): Promise<Identify> {
  if (oauth) {
    const { identifyByOAuth } = await import("./identify_by_oauth.ts");
    return identifyByOAuth(oauth);
  }
  return authToken === undefined ? identifyAnyone() : identifyByToken(authToken);
}

function refuseOrWarn({ hostname, allowAnonymous, logger }: ServeHttpOptions): void {
  if (!allowAnonymous) {
    throw new SkillzError(
      "denied",
      `Cannot listen on ${hostname}: other machines reach it and no token is set, so anybody could run code here`,
      { hint: "Set SKILLZ_AUTH_TOKEN, or use --host 127.0.0.1, or say --allow-anonymous if you mean it" },
    );
  }
  logger.warn("Anybody who reaches this server can run code on this machine", { hostname });
}

/** Whether only this machine can reach an address. */
async function isLocal(hostname: string): Promise<boolean> {
  const addresses = await lookup(hostname, { all: true }).catch((error: unknown) => {
    throw new SkillzError("unavailable", `Cannot listen on ${hostname}: the name is unknown`, {
      cause: error,
    });
  });
  return addresses.length > 0 &&
    addresses.every(({ address }) => address === "::1" || address.startsWith("127."));
}
