import { join } from "node:path";
import { startBare } from "../bare_server.ts";
import type { BenchOptions } from "../group.ts";
import { alternate } from "../measure.ts";
import type { NotBuilt, Row } from "../row.ts";
import { seedTools } from "../seed_tools.ts";
import { startServer } from "../server.ts";

/** From the spawn of the server to its reply to `initialize`. */
export async function* start(options: BenchOptions): AsyncGenerator<Row | NotBuilt> {
  const many = join(options.folder, "start-1000");
  await seedTools(many, { count: 1000 });
  // Whoever starts the server for the first time on a folder pays for the index, once.
  await (await startServer(options, { toolsDir: many }))[Symbol.asyncDispose]();
  yield await row("spawn → initialize, new folder", options);
  yield await row("spawn → initialize, 1,000 tools", options, { toolsDir: many });
  const name = "spawn → initialize, compiled";
  if (options.compiled) yield await row(name, options, { command: options.compiled });
  else yield { name, notBuilt: true };
}

async function row(
  name: string,
  options: BenchOptions,
  change: { toolsDir?: string; command?: readonly string[] } = {},
): Promise<Row> {
  const taken = await alternate(options.rounds(20), {
    async sample() {
      await using server = await startServer(options, change);
      return server.startMs;
    },
    async floor() {
      await using bare = startBare();
      return await bare.initialize();
    },
  });
  return {
    name,
    unit: "ms",
    ...taken,
    floorName: "deno run, bare loop",
    reach: { limit: 60, floorTimes: 2.5 },
  };
}
