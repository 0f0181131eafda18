import type { BenchOptions } from "../group.ts";
import { startBare } from "../bare_server.ts";
import { floorOf } from "../floors.ts";
import { alternate, mustEqual, timed } from "../measure.ts";
import type { NotBuilt, Row } from "../row.ts";
import { ECHOES, PERSISTENT_ECHO } from "../scripts.ts";
import { type Server, startServer } from "../server.ts";

const MANY = 32;

/** Many calls at once, and how the server answers others meanwhile. */
export async function* conc(options: BenchOptions): AsyncGenerator<Row | NotBuilt> {
  await using server = await startServer(options);
  await server.register("python3", ECHOES.python3);
  await server.register("bash", ECHOES.bash);
  await server.register("persistent", PERSISTENT_ECHO);
  for (const language of ["python3", "bash"] as const) {
    const floor = await floorOf(ECHOES[language], { folder: options.folder, confined: true });
    yield {
      name: `${MANY} ${language} calls at once`,
      unit: "ms",
      ...await alternate(options.rounds(5), {
        sample: () => timed(() => all(server, [language])),
        floor: () => timed(() => Promise.all(Array.from({ length: MANY }, (_, n) => floor.fresh({ n })))),
      }),
      floorName: `${MANY} × ${floor.name}`,
      reach: { floorTimes: 1 },
    };
  }
  yield await pings(options, server);
}

/** The slowest of a hundred pings while calls of every kind are under way, and a build where there is one. */
async function pings(options: BenchOptions, server: Server): Promise<Row> {
  const builds = await server.has("build_tool");
  await using bare = startBare();
  await bare.initialize();
  const code = 'fn main() { println!("built"); }';
  const samples: number[] = [];
  const floor: number[] = [];
  for (let round = 0; round < options.rounds(5); round++) {
    let busy = true;
    const work = Promise.all([
      all(server, ["python3", "bash", "persistent"]),
      server.call("execute_code", { code: "console.log(1 + 1)" }),
      ...(builds
        ? [server.call("build_tool", { name: `built_${round}`, description: "d", code, overwrite: true })]
        : []),
    ]).finally(() => busy = false);
    const times: number[] = [];
    const bareTimes: number[] = [];
    while (busy) {
      times.push((await server.client.request("ping")).ms);
      bareTimes.push((await bare.request("ping")).ms);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await work;
    samples.push(p99(times));
    floor.push(p99(bareTimes));
  }
  return {
    name: `ping while ${MANY} calls${builds ? ", a build," : ""} and a program run, p99`,
    unit: "ms",
    samples,
    floor,
    floorName: "bare loop meanwhile",
    reach: { limit: 20, floorPlus: 20 },
  };
}

function p99(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.99) - 1] ?? NaN;
}

async function all(server: Server, tools: readonly string[]): Promise<void> {
  await Promise.all(Array.from({ length: MANY }, async (_, n) => {
    const tool = tools[n % tools.length] ?? "";
    mustEqual((await server.call(tool, { n })).structured, { echo: { n } }, `${tool} call`);
  }));
}
