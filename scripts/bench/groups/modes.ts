import type { BenchOptions } from "../group.ts";
import { type Floor, floorOf } from "../floors.ts";
import { hasProgram } from "../interpreters.ts";
import { alternate, mustEqual } from "../measure.ts";
import { descendants, proportionalMb } from "../process_facts.ts";
import type { NotBuilt, Row } from "../row.ts";
import { ECHOES, PERSISTENT_ECHO } from "../scripts.ts";
import { startServer } from "../server.ts";

/** What SKILLZ_SANDBOX may be, with the program that it needs. */
const MODES = { bubblewrap: "bwrap", firejail: "firejail", nsjail: "nsjail", none: "python3" } as const;

/** What each mode costs: the first call of a tool, and the memory of a process with what confines it. */
export async function* modes(options: BenchOptions): AsyncGenerator<Row | NotBuilt> {
  for (const [mode, program] of Object.entries(MODES)) {
    if (await hasProgram(program)) yield* modeRows(options, mode);
    else yield { name: `python3 call, cold, ${mode}`, notBuilt: true };
  }
}

async function* modeRows(options: BenchOptions, mode: string): AsyncGenerator<Row> {
  await using server = await startServer(options, { env: { SKILLZ_SANDBOX: mode } });
  const floor = await floorOf(ECHOES.python3, { folder: options.folder });
  const rounds = options.rounds(20);
  const echo = async (name: string, n: number) => {
    const answer = await server.call(name, { n });
    mustEqual(answer.structured, { echo: { n } }, `python3 call in ${mode}`);
    return answer.ms;
  };
  for (let n = 0; n <= rounds; n++) await server.register(`cold_${n}`, ECHOES.python3);
  // The very first call looks what the machine has.
  await echo(`cold_${rounds}`, 0);
  const cold = await alternate(rounds, {
    sample: (n) => echo(`cold_${n}`, n),
    floor: (n) => floor.fresh({ n }),
  });
  yield { name: `python3 call, cold, ${mode}`, unit: "ms", ...cold, floorName: "python3, unconfined" };

  const kept = await floorOf(PERSISTENT_ECHO, { folder: options.folder });
  let tools = 0;
  const memory = await alternate(options.rounds(5), {
    async sample() {
      const name = `kept_${tools++}`;
      await server.register(name, PERSISTENT_ECHO);
      const before = new Set(await descendants(server.client.pid));
      await echo(name, 0);
      const children = (await descendants(server.client.pid)).filter((pid) => !before.has(pid));
      return await sum(children);
    },
    floor: () => bareMemory(kept),
  });
  yield {
    name: `memory of one python3 process, ${mode}`,
    unit: "MB",
    ...memory,
    floorName: "python3, unconfined",
  };
}

async function bareMemory(floor: Floor): Promise<number> {
  await using process = floor.persistent();
  await process.call({ n: 0 });
  return await sum([process.pid, ...await descendants(process.pid)]);
}

async function sum(pids: readonly number[]): Promise<number> {
  const sizes = await Promise.all(pids.map(proportionalMb));
  return sizes.reduce((total, size) => total + size, 0);
}
