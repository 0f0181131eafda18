import { join } from "node:path";
import { startBare } from "../bare_server.ts";
import type { BenchOptions } from "../group.ts";
import { alternate, mustEqual, repeat, timed } from "../measure.ts";
import type { Row } from "../row.ts";
import { seedTools } from "../seed_tools.ts";
import { type Server, startServer } from "../server.ts";

/** `tools/list`, and what the server itself adds to a call. */
export async function* list(options: BenchOptions): AsyncGenerator<Row> {
  const hidden = join(options.folder, "list-hidden");
  const paths = await seedTools(hidden, { count: 1000 });
  const first = await firstList(options, hidden);
  yield {
    name: "spawn → first tools/list, 1,000 tools on disk",
    unit: "ms",
    ...first,
    floorName: "deno run, bare loop",
    reach: { limit: 250 },
  };
  yield {
    name: "  of which: looking once at each of the 3,000 paths",
    unit: "ms",
    samples: await repeat(
      options.rounds(20),
      () => timed(() => Promise.all(paths.map((path) => Deno.lstat(path)))),
    ),
  };
  {
    await using server = await startServer(options, { toolsDir: hidden });
    const { message } = await server.client.request("tools/list");
    const bytes = new TextEncoder().encode(JSON.stringify(message.result)).length;
    const names = namesOf(message);
    if (names.some((name) => name.startsWith("tool_"))) {
      throw new Error("Cannot measure: hidden tools are listed");
    }
    yield {
      name: "tools/list, none of 1,000 tools active",
      unit: "B",
      samples: [bytes],
      reach: { limit: 6000 },
    };
    yield await overhead(options, server);
  }
  const active = join(options.folder, "list-active");
  await seedTools(active, { count: 1000, core: true });
  await using server = await startServer(options, { toolsDir: active });
  yield await listed(options, server);
}

async function firstList(options: BenchOptions, toolsDir: string) {
  const warm = await startServer(options, { toolsDir });
  await warm.client.request("tools/list");
  await warm[Symbol.asyncDispose]();
  return await alternate(options.rounds(20), {
    async sample() {
      await using server = await startServer(options, { toolsDir });
      await server.client.request("tools/list");
      return server.client.sinceSpawn();
    },
    async floor() {
      await using bare = startBare();
      await bare.initialize();
      await bare.request("tools/list");
      return bare.sinceSpawn();
    },
  });
}

/** A built-in tool that has next to nothing to do. */
async function overhead(options: BenchOptions, server: Server): Promise<Row> {
  await using bare = startBare();
  await bare.initialize();
  const taken = await alternate(options.rounds(200), {
    sample: async () => (await server.call("version", { action: "list", tool_name: "tool_1" })).ms,
    floor: async () => (await bare.request("tools/call", { name: "echo", arguments: { n: 1 } })).ms,
    warmUp: 30,
  });
  return {
    name: "call overhead of the server itself (version list)",
    unit: "ms",
    ...taken,
    floorName: "bare loop",
    reach: { limit: 0.5, floorPlus: 0.5 },
  };
}

async function listed(options: BenchOptions, server: Server): Promise<Row> {
  await using bare = startBare();
  await bare.initialize();
  const taken = await alternate(options.rounds(50), {
    async sample() {
      const { message, ms } = await server.client.request("tools/list");
      mustEqual(namesOf(message).filter((name) => name.startsWith("tool_")).length, 1000, "tools/list");
      return ms;
    },
    floor: async () => (await bare.request("tools/list")).ms,
    warmUp: 5,
  });
  return {
    name: "tools/list, 1,000 active tools",
    unit: "ms",
    ...taken,
    floorName: "bare loop, one tool",
    reach: { limit: 5, floorPlus: 5 },
  };
}

function namesOf(message: Record<string, unknown>): string[] {
  const { tools } = message.result as { tools: { name: string }[] };
  return tools.map(({ name }) => name);
}
