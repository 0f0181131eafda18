import type { BenchOptions } from "../group.ts";
import { repeat } from "../measure.ts";
import { type Row, summarise } from "../row.ts";
import { ASKS, ECHOES } from "../scripts.ts";
import { startServer } from "../server.ts";

/** What each question of a script may take, in milliseconds. */
const REACH: Readonly<Record<string, number>> = { "memory/get": 0.3, "memory/set": 0.3, "tools/call": 3 };

/** Requests that a script sends to the server, timed by the script itself. */
export async function* bidi(options: BenchOptions): AsyncGenerator<Row> {
  await using server = await startServer(options);
  await server.register("bash", ECHOES.bash);
  await server.register("asks", ASKS);
  await server.call("asks", { n: 5 });
  const samples: Record<string, number[]> = {};
  await repeat(options.rounds(5), async () => {
    const { ms, structured } = await server.call("asks", { n: 20 });
    for (const [method, times] of Object.entries(structured as Record<string, number[]>)) {
      (samples[method] ??= []).push(...times);
    }
    return ms;
  });
  for (const [method, limit] of Object.entries(REACH)) {
    const times = samples[method] ?? [];
    if (summarise(times).n === 0) throw new Error(`Cannot measure ${method}: the script timed none`);
    const what = method === "tools/call" ? "tools/call of a bash tool" : method;
    yield { name: `one ${what} asked by a script`, unit: "ms", samples: times, reach: { limit } };
  }
}
