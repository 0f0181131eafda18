import type { BenchOptions } from "../group.ts";
import { startBare } from "../bare_server.ts";
import { alternate, mustEqual } from "../measure.ts";
import type { Row } from "../row.ts";
import { startServer } from "../server.ts";

/** The `memory` tool. */
export async function* memory(options: BenchOptions): AsyncGenerator<Row> {
  await using server = await startServer(options);
  await using bare = startBare();
  await bare.initialize();
  const call = async (args: Record<string, unknown>) =>
    await server.call("memory", { tool_name: "bench", ...args });
  const floor = async () => (await bare.request("tools/call", { name: "echo", arguments: { n: 1 } })).ms;
  const rounds = options.rounds(100);
  await call({ action: "store", key: "warm", value: 0 });
  const store = async (n: number) => (await call({ action: "store", key: `key ${n}`, value: { n } })).ms;
  yield row("memory store", await alternate(rounds, { sample: store, floor, warmUp: 30 }));
  const get = async (n: number) => {
    const answer = await call({ action: "get", key: `key ${n}` });
    const { value } = answer.structured as { value?: unknown } | undefined ?? {};
    mustEqual(value, { n }, "memory get");
    return answer.ms;
  };
  yield row("memory get", await alternate(rounds, { sample: get, floor, warmUp: 2 }));
}

function row(name: string, taken: { samples: number[]; floor: number[] }): Row {
  return { name, unit: "ms", ...taken, floorName: "bare loop", reach: { limit: 0.5, floorPlus: 0.5 } };
}
