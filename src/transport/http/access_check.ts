import { httpError } from "./http_error.ts";

/** Options of {@linkcode AccessCheck}. */
export interface AccessCheckOptions {
  /** The address that the server listens on, as it was given. */
  readonly hostname: string;
  /** Whether only this machine can reach it. */
  readonly local: boolean;
  /** Whether every client must prove who it is; then no name of ours can be abused by a page that rebinds it. */
  readonly authenticated: boolean;
  /** More host names that requests may be addressed to. */
  readonly allowedHosts?: readonly string[];
  /** More origins (`https://app.example.com`) whose pages may use the server. */
  readonly allowedOrigins?: readonly string[];
}

const LOCAL_NAMES = ["localhost", "127.0.0.1", "[::1]"];

const CORS_METHODS = "GET, POST, DELETE, OPTIONS";
const CORS_EXPOSED = "mcp-session-id, mcp-protocol-version, www-authenticate, retry-after";
const CORS_HEADERS =
  /^(?:accept|authorization|content-type|last-event-id|mcp-session-id|mcp-protocol-version|mcp-method|mcp-name|mcp-param-[\w-]+)$/i;

/**
 * Keeps web pages out that the user happens to have open: a request must be addressed to a name of ours (else a page
 * has pointed its own name at us), and come from no page or from one that is allowed.
 */
export class AccessCheck {
  readonly #options: AccessCheckOptions;
  readonly #hosts: ReadonlySet<string>;
  readonly #origins: ReadonlySet<string>;

  /** Knows what to let through. */
  constructor(options: AccessCheckOptions) {
    this.#options = options;
    const own = hostnameOf(options.hostname);
    this.#hosts = new Set([
      ...LOCAL_NAMES,
      ...(own ? [own] : []),
      ...(options.allowedHosts ?? []).map(lower),
    ]);
    this.#origins = new Set((options.allowedOrigins ?? []).map(lower));
  }

  /** Why a request is refused; `undefined` when it may go on. */
  refuse(request: Request): Response | undefined {
    const host = request.headers.get("host");
    if (!this.#hostAllowed(host)) {
      return httpError(403, "Cannot serve: this server does not go by that host name");
    }
    const origin = request.headers.get("origin");
    if (origin && !this.#originAllowed(origin)) {
      return httpError(403, "Cannot serve: pages of that origin may not use this server");
    }
    return undefined;
  }

  /** The answer to a browser that asks beforehand; the request was not refused. */
  preflight(request: Request): Response {
    const wanted = (request.headers.get("access-control-request-headers") ?? "").split(",").map((name) =>
      name.trim()
    );
    const headers = new Headers({
      "access-control-allow-methods": CORS_METHODS,
      "access-control-allow-headers": wanted.filter((name) => CORS_HEADERS.test(name)).join(", "),
      "access-control-max-age": "600",
    });
    return this.allow(request.headers.get("origin"), new Response(null, { status: 204, headers }));
  }

  /** Lets the page that sent a request (its `Origin`) read the answer; does nothing for clients that are no pages. */
  allow(origin: string | null, response: Response): Response {
    if (!origin) return response;
    const headers = new Headers(response.headers);
    headers.set("access-control-allow-origin", origin);
    headers.set("access-control-expose-headers", CORS_EXPOSED);
    headers.append("vary", "origin");
    return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
  }

  #hostAllowed(host: string | null): boolean {
    const name = host === null ? undefined : hostnameOf(host);
    if (name === undefined) return false;
    const { local, authenticated } = this.#options;
    if (this.#hosts.has(name)) return true;
    // A page can point a name at us, never an address: who uses our address means us.
    return !local && (authenticated || isAddress(name));
  }

  #originAllowed(origin: string): boolean {
    if (this.#origins.has(lower(origin))) return true;
    const url = URL.parse(origin);
    return url !== null && url.origin !== "null" && LOCAL_NAMES.includes(url.hostname);
  }
}

function hostnameOf(host: string): string | undefined {
  const bare = host.includes(":") && !host.startsWith("[") && host.indexOf(":") !== host.lastIndexOf(":");
  return URL.parse(`http://${bare ? `[${host}]` : host}`)?.hostname;
}

function isAddress(name: string): boolean {
  return name.startsWith("[") || /^\d+\.\d+\.\d+\.\d+$/.test(name);
}

function lower(text: string): string {
  return text.toLowerCase();
}
