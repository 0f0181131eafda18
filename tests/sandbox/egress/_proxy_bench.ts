import { join } from "node:path";
import { Grants } from "../../../src/sandbox/egress/grants.ts";
import { JobProxy } from "../../../src/sandbox/egress/job_proxy.ts";
import { EGRESS_LIMITS, type EgressLimits } from "../../../src/sandbox/egress/limits.ts";
import { parseTarget } from "../../../src/sandbox/egress/target.ts";
import { tempDir } from "../../support/temp_dir.ts";

/** A proxy with a server on loopback that it may lead to. */
export interface ProxyBench extends AsyncDisposable {
  readonly proxy: JobProxy;
  /** Port of the server. */
  readonly port: number;
  /** What came to the server, one text for each connection. */
  readonly received: string[];
  /** Names that were looked up. */
  readonly lookups: string[];
  connect(): Promise<Deno.UnixConn>;
  /** Sends, and reads until the proxy closes; bytes as Latin-1. */
  exchange(...parts: (string | Uint8Array)[]): Promise<string>;
}

/** Options of {@linkcode openProxyBench}. */
export interface ProxyBenchOptions {
  /** Granted hosts; `PORT` stands for the server's port. */
  hosts?: readonly string[];
  services?: readonly string[];
  /** What names resolve to. */
  names?: Readonly<Record<string, readonly string[]>>;
  limits?: Partial<EgressLimits>;
  /** Serves a connection; answers each with `hello` after the head by default. */
  serve?: (conn: Deno.TcpConn, heard: (text: string) => void) => Promise<void>;
}

/** Opens one. */
export async function openProxyBench(options: ProxyBenchOptions = {}): Promise<ProxyBench> {
  const dir = await tempDir();
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  const received: string[] = [];
  const serving = acceptAll(listener, received, options.serve ?? answerHello);
  const lookups: string[] = [];
  const withPort = (list: readonly string[] = []) => list.map((host) => host.replace("PORT", String(port)));
  const socketPath = join(dir.path, "job.sock");
  const direct = withPort(options.services).flatMap((text) => parseTarget(text) ?? []);
  const proxy = new JobProxy({
    socketPath,
    grants: new Grants(withPort(options.hosts), withPort(options.services)),
    direct,
    resolve: (host) => {
      lookups.push(host);
      const found = options.names?.[host];
      return found ? Promise.resolve(found) : Promise.reject(new Error("no such name"));
    },
    limits: { ...EGRESS_LIMITS, ...options.limits },
  });
  const connect = () => Deno.connect({ transport: "unix", path: socketPath });
  return {
    proxy,
    port,
    received,
    lookups,
    connect,
    async exchange(...parts) {
      using conn = await connect();
      for (const part of parts) await send(conn, part);
      return await readAll(conn);
    },
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      listener.close();
      await serving;
      await dir[Symbol.asyncDispose]();
    },
  };
}

/** Writes all of it; what a closed connection does not take is left out. */
export async function send(conn: Deno.Conn, part: string | Uint8Array): Promise<void> {
  const bytes = typeof part === "string" ? new TextEncoder().encode(part) : part;
  try {
    for (let done = 0; done < bytes.length;) done += await conn.write(bytes.subarray(done));
  } catch {
    // the proxy has said all it has to say
  }
}

/** Everything until the end of the connection. */
export async function readAll(conn: Deno.Conn): Promise<string> {
  const decoder = new TextDecoder("latin1");
  const chunk = new Uint8Array(65_536);
  let text = "";
  try {
    for (let count; (count = await conn.read(chunk)) !== null;) {
      text += decoder.decode(chunk.subarray(0, count));
    }
  } catch {
    // reset, because the proxy did not read all that was sent
  }
  return text;
}

async function acceptAll(
  listener: Deno.TcpListener,
  received: string[],
  serve: NonNullable<ProxyBenchOptions["serve"]>,
): Promise<void> {
  const open: Promise<void>[] = [];
  for await (const conn of listener) {
    const index = received.push("") - 1;
    const heard = (text: string) => void (received[index] += text);
    open.push(serve(conn, heard).finally(() => conn.close()).catch(() => {}));
  }
  await Promise.all(open);
}

async function answerHello(conn: Deno.TcpConn, heard: (text: string) => void): Promise<void> {
  const chunk = new Uint8Array(65_536);
  let text = "";
  while (!text.includes("\r\n\r\n")) {
    const count = await conn.read(chunk);
    if (count === null) return;
    const part = new TextDecoder("latin1").decode(chunk.subarray(0, count));
    text += part;
    heard(part);
  }
  await send(conn, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nKeep-Alive: timeout=5\r\n\r\nhello");
  await conn.closeWrite();
  // What else comes on this connection is heard as well, so that smuggled requests show.
  for (let count; (count = await conn.read(chunk)) !== null;) {
    heard(new TextDecoder("latin1").decode(chunk.subarray(0, count)));
  }
}
