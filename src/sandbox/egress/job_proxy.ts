import { SkillzError } from "../../base/errors.ts";
import { wait } from "../../base/wait.ts";
import { ByteReader } from "./byte_stream.ts";
import { type Connection, tunnel } from "./connection.ts";
import { dial, type ResolveHost } from "./dial.ts";
import type { Grants } from "./grants.ts";
import { serveHttp } from "./http_proxy.ts";
import type { EgressLimits } from "./limits.ts";
import { serveSocks5, SOCKS5_VERSION } from "./socks5.ts";
import type { Target } from "./target.ts";
import { Watchdog } from "./watchdog.ts";

/** Options of {@linkcode JobProxy}. */
export interface JobProxyOptions {
  /** Path of its Unix socket; nobody may be able to reach it but the job. */
  readonly socketPath: string;
  readonly grants: Grants;
  /** What the relay inside passes through without a protocol, by its number. */
  readonly direct: readonly Target[];
  readonly resolve: ResolveHost;
  readonly limits: EgressLimits;
}

/** First byte of the relay for a port that it passes through; the next one is the number in `direct`. */
const DIRECT = 0;
const ACCEPT_PAUSE_MS = 50;
/** Most refused hosts that are remembered. */
const MAX_DENIED = 100;

/** The proxy of one job: what comes over its socket may reach what was granted to this job, and nothing else. */
export class JobProxy implements AsyncDisposable {
  readonly #options: JobProxyOptions;
  readonly #listener: Deno.UnixListener;
  readonly #closing = new AbortController();
  readonly #open = new Set<Promise<void>>();
  readonly #denied = new Set<string>();
  readonly #accepting: Promise<void>;
  #bytes = 0;

  /** Listens at once. */
  constructor(options: JobProxyOptions) {
    this.#options = options;
    this.#listener = Deno.listen({ transport: "unix", path: options.socketPath });
    this.#accepting = this.#accept();
  }

  /** Hosts that were asked for and refused, as a manifest would name them. */
  denied(): readonly string[] {
    return [...this.#denied];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#closing.signal.aborted) {
      this.#closing.abort(new SkillzError("cancelled", "Cannot go on: the job that connected has ended"));
      this.#listener.close();
    }
    await this.#accepting;
    await Promise.all(this.#open);
  }

  async #accept(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      let conn: Deno.UnixConn;
      try {
        conn = await this.#listener.accept();
      } catch (error) {
        if (this.#closing.signal.aborted || error instanceof Deno.errors.BadResource) return;
        // The client was gone already, or there are no descriptors left for now.
        await wait(ACCEPT_PAUSE_MS);
        continue;
      }
      if (this.#open.size >= this.#options.limits.connections) {
        conn.close();
        continue;
      }
      const serving: Promise<void> = this.#serve(conn).finally(() => this.#open.delete(serving));
      this.#open.add(serving);
    }
  }

  async #serve(client: Deno.UnixConn): Promise<void> {
    const { limits } = this.#options;
    const over = new AbortController();
    const upstreams: Deno.TcpConn[] = [];
    const end = () => {
      over.abort(this.#closing.signal.reason);
      for (const conn of [client, ...upstreams.splice(0)]) close(conn);
    };
    this.#closing.signal.addEventListener("abort", end, { once: true });
    using watchdog = new Watchdog(limits.handshakeMs, end);
    const connection: Connection = {
      client,
      reader: new ByteReader(client),
      limits,
      watchdog,
      signal: over.signal,
      dial: async (target) => {
        const conn = await this.#dial(target, over.signal);
        upstreams.push(conn);
        if (over.signal.aborted) end();
        return conn;
      },
      spend: (bytes) => this.#spend(bytes),
    };
    try {
      await this.#speak(connection);
    } catch {
      // Whatever went wrong, the client was told if it could be told; its connection ends.
    } finally {
      this.#closing.signal.removeEventListener("abort", end);
      end();
    }
  }

  /** The first byte tells what the client speaks. */
  async #speak(connection: Connection): Promise<void> {
    const first = await connection.reader.peek();
    if (first === SOCKS5_VERSION) return await serveSocks5(connection);
    if (first !== DIRECT) return await serveHttp(connection);
    const [, number = 0] = await connection.reader.exactly(2);
    const target = this.#options.direct[number];
    if (target !== undefined) await tunnel(await connection.dial(target), connection);
  }

  async #dial(target: Target, signal: AbortSignal): Promise<Deno.TcpConn> {
    const { grants, resolve } = this.#options;
    return await dial(target, {
      grants,
      resolve,
      signal,
      onDenied: (host) => {
        this.#denied.delete(host);
        this.#denied.add(host); // the last one is the likeliest cause of a failure
        if (this.#denied.size > MAX_DENIED) this.#denied.delete([...this.#denied][0] ?? "");
      },
    });
  }

  #spend(bytes: number): void {
    this.#bytes += bytes;
    const { bytes: most } = this.#options.limits;
    if (this.#bytes > most) {
      throw new SkillzError(
        "limit",
        `Cannot go on: the job has moved more than ${most} bytes over the network`,
      );
    }
  }
}

function close(conn: Deno.Conn): void {
  try {
    conn.close();
  } catch {
    // closed already
  }
}
