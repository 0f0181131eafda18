import type { BenchOptions } from "../group.ts";
import { floorOf } from "../floors.ts";
import { alternate, mustEqual } from "../measure.ts";
import type { Row } from "../row.ts";
import { ECHOES, PERSISTENT_ECHO } from "../scripts.ts";
import { type Server, startServer } from "../server.ts";

/** A megabyte as argument, and back as result. */
export async function* payload(options: BenchOptions): AsyncGenerator<Row> {
  const text = "x".repeat(1_000_000);
  await using server = await startServer(options);
  await server.register("fresh", ECHOES.python3);
  await server.register("persistent", PERSISTENT_ECHO);
  for (const name of ["fresh", "persistent"]) await echo(server, name, text);
  const fresh = await floorOf(ECHOES.python3, { folder: options.folder, confined: true });
  const rounds = options.rounds(20);
  yield {
    name: "1 MB there and back, python3",
    unit: "ms",
    ...await alternate(rounds, {
      sample: () => echo(server, "fresh", text),
      floor: () => fresh.fresh({ text }),
    }),
    floorName: fresh.name,
    reach: { floorTimes: 2 },
  };
  await using floor = (await floorOf(PERSISTENT_ECHO, { folder: options.folder, confined: true }))
    .persistent();
  await floor.call({ text });
  yield {
    name: "1 MB there and back, persistent python3",
    unit: "ms",
    ...await alternate(rounds, {
      sample: () => echo(server, "persistent", text),
      floor: () => floor.call({ text }),
    }),
    floorName: "process itself",
  };
}

async function echo(server: Server, tool: string, text: string): Promise<number> {
  const { ms, structured } = await server.call(tool, { text });
  const back = (structured as { echo?: { text?: string } } | undefined)?.echo?.text;
  mustEqual(back?.length, text.length, "a large payload");
  return ms;
}
