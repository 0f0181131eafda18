import { join } from "node:path";
import { environmentOfChildren } from "../environment.ts";
import type { BenchOptions } from "../group.ts";
import { openSse, openStreamable } from "../http_client.ts";
import { mustEqual } from "../measure.ts";
import type { Row } from "../row.ts";
import { PERSISTENT_ECHO } from "../scripts.ts";
import { startServer } from "../server.ts";

/** Sessions of each transport. */
const SESSIONS = 50;
const CALLS = 20;

/** Many sessions over both HTTP transports at once. */
export async function* http(options: BenchOptions): AsyncGenerator<Row> {
  const toolsDir = join(options.folder, "http-tools");
  {
    await using maker = await startServer(options, { toolsDir });
    await maker.register("echo", PERSISTENT_ECHO);
  }
  const samples: number[] = [];
  for (let round = 0; round < options.rounds(3); round++) samples.push(await perSecond(options, toolsDir));
  yield {
    name: `HTTP, ${SESSIONS} SSE + ${SESSIONS} Streamable sessions, ${CALLS} calls each`,
    unit: "calls/s",
    samples,
    reach: { limit: 500, atLeast: true },
  };
}

async function perSecond(options: BenchOptions, toolsDir: string): Promise<number> {
  const port = freePort();
  const [program = "", ...args] = options.command;
  const child = new Deno.Command(program, {
    args: [...args, "--transport", "http", "--port", String(port)],
    env: { ...environmentOfChildren(options.folder), TOOLS_DIR: toolsDir },
    clearEnv: true,
    cwd: options.folder,
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  const base = `http://127.0.0.1:${port}`;
  try {
    await healthy(base);
    await using owned = new AsyncDisposableStack();
    const sessions = await Promise.all(
      Array.from({ length: SESSIONS * 2 }, (_, n) => n % 2 === 0 ? openSse(base) : openStreamable(base)),
    );
    for (const session of sessions) owned.use(session);
    await sessions[0]?.call("echo", { n: 0 });
    const start = performance.now();
    await Promise.all(sessions.map(async (session, who) => {
      for (let call = 0; call < CALLS; call++) {
        const n = who * 1000 + call;
        mustEqual(await session.call("echo", { n }), { echo: { n } }, "HTTP call");
      }
    }));
    return sessions.length * CALLS / ((performance.now() - start) / 1000);
  } finally {
    child.kill("SIGTERM");
    await child.status;
  }
}

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

async function healthy(base: string): Promise<void> {
  const until = performance.now() + 60_000;
  while (performance.now() < until) {
    const response = await fetch(`${base}/health`).catch(() => undefined);
    await response?.body?.cancel();
    if (response?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("Cannot measure HTTP: the server does not come up");
}
