import type { BenchOptions } from "../group.ts";
import { floorOf } from "../floors.ts";
import { alternate, mustEqual } from "../measure.ts";
import type { Row } from "../row.ts";
import { PERSISTENT_ECHO } from "../scripts.ts";
import { startServer } from "../server.ts";

/** Calls of a tool whose one process serves them all. */
export async function* persistent(options: BenchOptions): AsyncGenerator<Row> {
  await using server = await startServer(options);
  await using floor = (await floorOf(PERSISTENT_ECHO, { folder: options.folder, confined: true }))
    .persistent();
  await server.register("echo", PERSISTENT_ECHO);
  await server.call("echo", { n: 0 });
  await floor.call({ n: 0 });
  const taken = await alternate(options.rounds(200), {
    async sample(n) {
      const answer = await server.call("echo", { n });
      mustEqual(answer.structured, { echo: { n } }, "persistent call");
      return answer.ms;
    },
    floor: (n) => floor.call({ n }),
    warmUp: 30,
  });
  yield {
    name: "persistent python3 call",
    unit: "ms",
    ...taken,
    floorName: "process itself",
    reach: { limit: 1, floorPlus: 1 },
  };
}
