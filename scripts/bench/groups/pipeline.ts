import type { BenchOptions } from "../group.ts";
import { alternate, mustEqual } from "../measure.ts";
import type { NotBuilt, Row } from "../row.ts";
import { PERSISTENT_ECHO } from "../scripts.ts";
import { startServer } from "../server.ts";

const STEPS = 20;

/** What a pipeline adds to each of its steps. */
export async function* pipeline(options: BenchOptions): AsyncGenerator<Row | NotBuilt> {
  const name = "pipeline, overhead a step";
  await using server = await startServer(options);
  if (!await server.has("pipeline")) return yield { name, notBuilt: true };
  await server.register("echo", PERSISTENT_ECHO);
  await server.call("pipeline", {
    action: "create",
    name: "steps",
    description: "Echoes again and again",
    steps: Array.from({ length: STEPS }, (_, n) => ({ name: `s${n}`, tool: "echo", args: { n } })),
  });
  const call = async () => {
    const { ms, structured } = await server.call("steps");
    const { success, steps } = structured as { success?: boolean; steps?: unknown[] };
    mustEqual([success, steps?.length], [true, STEPS], "pipeline");
    return ms / STEPS;
  };
  await call();
  const { samples, floor } = await alternate(options.rounds(20), {
    sample: call,
    async floor() {
      let ms = 0;
      for (let n = 0; n < STEPS; n++) ms += (await server.call("echo", { n })).ms;
      return ms / STEPS;
    },
  });
  yield { name, unit: "ms", samples, floor, floorName: "the call by itself", reach: { floorPlus: 1 } };
}
