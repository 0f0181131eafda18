import { withTimeout } from "../base/abort.ts";
import type { JsonObject, JsonValue } from "../base/json.ts";
import type {
  Caller,
  CallerCapabilities,
  McpLogLevel,
  ProgressUpdate,
  Question,
} from "../run/call_context.ts";
import type { Asker } from "./asker.ts";
import { cannotAsk, missingCapability, readCapabilities } from "./client_capabilities.ts";
import { passes } from "./log_level.ts";
import { rootPaths } from "./roots_cache.ts";
import type { Session } from "./session.ts";

/** Longest wait for a client that should tell its roots, in milliseconds. */
const ROOTS_MS = 10_000;

/** Where progress and messages of a call go at the moment. */
export interface Outlet {
  /** Reports how far the call has come. */
  progress(update: ProgressUpdate): void;
  /** Sends a message whose level was checked. */
  log(level: McpLogLevel, data: JsonValue, logger?: string): void;
  /** Ends an HTTP stream early, where there is one. */
  readonly closeStream?: (() => void) | undefined;
  /** Nothing goes out any more. */
  close(): void;
}

/** Options of {@linkcode ClientCaller}. */
export interface ClientCallerOptions {
  readonly session: Session;
  /** The client's capabilities as it sent them. */
  readonly declared: JsonObject;
  readonly asker: Asker;
  /** Whether roots may be asked for of our own accord. */
  readonly asksRoots: boolean;
}

/** A client as running code sees it. Outlives a request: a call that waits for an answer goes on with the next one. */
export class ClientCaller implements Caller {
  readonly capabilities: CallerCapabilities;
  readonly clientCapabilities: JsonObject;
  readonly #options: ClientCallerOptions;
  #outlet: Outlet | undefined;
  #least: McpLogLevel | undefined;
  readonly #missing: JsonObject[] = [];

  /** Speaks for a session; silent until bound. */
  constructor(options: ClientCallerOptions) {
    this.#options = options;
    this.clientCapabilities = options.declared;
    this.capabilities = readCapabilities(options.declared);
  }

  /** Session it belongs to. */
  get sessionId(): string {
    return this.#options.session.id;
  }

  /** Name and version of the client; an empty text while unknown. */
  get client(): string {
    return this.#options.session.client ?? "";
  }

  /** Capabilities that questions needed and the client lacks, in MCP's shape; `undefined` when none was missed. */
  get missingCapabilities(): JsonObject | undefined {
    return this.#missing.length > 0 ? Object.assign({}, ...this.#missing) : undefined;
  }

  /** Sends what comes from now on to this outlet; `least` is the level it wants, none for no messages at all. */
  bind(outlet: Outlet, least: McpLogLevel | undefined): void {
    this.#outlet = outlet;
    this.#least = least;
  }

  /** Sends nothing until bound again. */
  unbind(): void {
    this.#outlet?.close();
    this.#outlet = undefined;
  }

  /** The client's roots as paths; undefined when it names none or does not tell. */
  roots(signal: AbortSignal): Promise<readonly string[] | undefined> {
    const { session } = this.#options;
    if (!this.capabilities.roots) return Promise.resolve(undefined);
    return session.roots.get(async () => {
      if (!this.#options.asksRoots) return {};
      using limit = withTimeout(signal, { ms: ROOTS_MS, what: "learn the client's roots" });
      const answer = await this.#options.asker.ask(
        { method: "roots/list", params: {}, key: "skillz_roots" },
        limit.signal,
      );
      const foreign = (Array.isArray(answer.roots) ? answer.roots.length : 0) -
        (rootPaths(answer)?.length ?? 0);
      if (foreign > 0) {
        this.log("warning", `Left out ${foreign} of the client's roots: no folder on this machine`);
      }
      return answer;
    });
  }

  /** Puts a question to the client. */
  async ask(question: Question, signal: AbortSignal): Promise<JsonObject> {
    const missing = missingCapability(question, this.clientCapabilities);
    if (missing) {
      this.#missing.push(missing);
      throw cannotAsk(question, missing);
    }
    const answer = await this.#options.asker.ask(question, signal);
    if (question.method === "roots/list") this.#options.session.roots.remember(answer);
    return answer;
  }

  /** Reports progress under the caller's token. */
  progress(update: ProgressUpdate): void {
    this.#outlet?.progress(update);
  }

  /** Sends a log message if the level lets it through. */
  log(level: McpLogLevel, data: JsonValue, logger?: string): void {
    const least = this.#options.session.era === "legacy" ? this.#options.session.logLevel : this.#least;
    if (least !== undefined && passes(level, least)) this.#outlet?.log(level, data, logger);
  }

  /** Ends the HTTP stream of the answer early. */
  closeStream(): void {
    this.#outlet?.closeStream?.();
  }
}
