import type { BenchOptions } from "../group.ts";
import { startBare } from "../bare_server.ts";
import { alternate } from "../measure.ts";
import { residentMb } from "../process_facts.ts";
import type { NotBuilt, Row } from "../row.ts";
import { startServer } from "../server.ts";

/** A moment for what still loads. */
const IDLE_MS = 1000;

/** Resident size of an idle server to which a client has just connected. */
export async function* rss(options: BenchOptions): AsyncGenerator<Row | NotBuilt> {
  yield await row("RSS, idle after tools/list", options);
  const name = "RSS, idle after tools/list, compiled";
  if (options.compiled) yield await row(name, options, options.compiled);
  else yield { name, notBuilt: true };
}

async function row(name: string, options: BenchOptions, command = options.command): Promise<Row> {
  const idle = () => new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  const taken = await alternate(options.rounds(10), {
    async sample() {
      await using server = await startServer(options, { command });
      await server.client.request("tools/list");
      await idle();
      return await residentMb(server.client.pid);
    },
    async floor() {
      await using bare = startBare();
      await bare.initialize();
      await idle();
      return await residentMb(bare.pid);
    },
  });
  return { name, unit: "MB", ...taken, floorName: "deno run, bare loop", reach: { limit: 75 } };
}
