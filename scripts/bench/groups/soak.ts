import type { BenchOptions } from "../group.ts";
import { mustEqual } from "../measure.ts";
import { descendants, openFiles, residentMb } from "../process_facts.ts";
import type { Row } from "../row.ts";
import { ECHOES, PERSISTENT_ECHO } from "../scripts.ts";
import { type Server, startServer } from "../server.ts";

/** Calls that are under way at the same time. */
const AT_ONCE = 4;

/** What may be added after the first tenth: noise of the collector, a page of the database. */
const SLACK_MB = 16;

/** Thousands of mixed calls: nothing may grow, nothing may stay. */
export async function* soak(options: BenchOptions): AsyncGenerator<Row> {
  const total = Math.max(options.rounds(10_000), 400);
  let left: number[] = [];
  {
    await using server = await startServer(options);
    const { pid } = server.client;
    await server.register("persistent", PERSISTENT_ECHO);
    await server.register("bash", ECHOES.bash);
    await server.register("python3", ECHOES.python3);
    const start = performance.now();
    await calls(server, { from: 0, to: total / 10 });
    const before = { mb: await residentMb(pid), files: await openFiles(pid) };
    const growth: number[] = [];
    const files: number[] = [];
    for (let tenth = 1; tenth < 10; tenth++) {
      await calls(server, { from: total * tenth / 10, to: total * (tenth + 1) / 10 });
      growth.push(await residentMb(pid) - before.mb);
      files.push(await openFiles(pid) - before.files);
    }
    const seconds = (performance.now() - start) / 1000;
    left = await descendants(pid);
    const what = `${total.toLocaleString("en")} mixed calls`;
    yield {
      name: `${what}: growth of RSS after the first tenth`,
      unit: "MB",
      samples: growth,
      reach: { limit: SLACK_MB },
    };
    yield { name: `${what}: more open files`, unit: "files", samples: files, reach: { limit: 8 } };
    yield { name: `${what}: pace`, unit: "calls/s", samples: [total / seconds] };
  }
  const alive = (await Promise.all(left.map(isAlive))).filter(Boolean).length;
  mustEqual(alive, 0, "processes that outlive the server");
}

/** One in ten is a fresh process, half are memory, the rest go to a persistent tool. */
async function calls(server: Server, { from, to }: { from: number; to: number }): Promise<void> {
  let next = from;
  await Promise.all(Array.from({ length: AT_ONCE }, async () => {
    for (let n = next++; n < to; n = next++) {
      if (n % 20 === 0) await echo(server, "python3", n);
      else if (n % 20 === 10) await echo(server, "bash", n);
      else if (n % 2 === 0) {
        await server.call("memory", { action: "store", tool_name: "soak", key: `${n % 100}`, value: n });
      } else await echo(server, "persistent", n);
    }
  }));
}

async function echo(server: Server, tool: string, n: number): Promise<void> {
  mustEqual((await server.call(tool, { n })).structured, { echo: { n } }, `${tool} call`);
}

async function isAlive(pid: number): Promise<boolean> {
  const stat = await Deno.readTextFile(`/proc/${pid}/stat`).catch(() => "");
  return stat !== "" && !stat.slice(stat.lastIndexOf(")")).startsWith(") Z");
}
