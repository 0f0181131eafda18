import type { BenchOptions } from "../group.ts";
import { floorOf } from "../floors.ts";
import { hasProgram } from "../interpreters.ts";
import { alternate, mustEqual, timed } from "../measure.ts";
import type { NotBuilt, Row } from "../row.ts";
import { ECHOES } from "../scripts.ts";
import { type Server, startServer } from "../server.ts";

/** A pause in which the next process of a tool is started ahead, as it is between the calls of a model. */
const PAUSE_MS = 400;

/** Calls of fresh scripts in each language, in the default sandbox. */
export async function* scripts(options: BenchOptions): AsyncGenerator<Row | NotBuilt> {
  await using server = await startServer(options);
  for (const language of Object.keys(ECHOES) as (keyof typeof ECHOES)[]) {
    const program = language === "deno" ? Deno.execPath() : language;
    if (language !== "deno" && !await hasProgram(program)) yield { name: `${language} call`, notBuilt: true };
    else yield* languageRows(options, { server, language });
  }
  yield await hundred(options, server);
}

async function* languageRows(
  options: BenchOptions,
  { server, language }: { server: Server; language: keyof typeof ECHOES },
): AsyncGenerator<Row> {
  const script = ECHOES[language];
  const floor = await floorOf(script, { folder: options.folder, confined: true });
  const rounds = options.rounds(20);
  await server.register(language, script);
  await echo(server, language, 0);
  const warm = await alternate(rounds, {
    async sample(n) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      return await echo(server, language, n);
    },
    floor: (n) => floor.waiting({ n }),
  });
  yield {
    name: `${language} call, warm`,
    unit: "ms",
    ...warm,
    floorName: "waiting process",
    reach: { limit: 3, floorPlus: 3 },
  };
  // The first call of a tool finds nothing that waits for it; its checks come on top.
  for (let n = 0; n < rounds; n++) await server.register(`${language}_${n}`, script);
  const cold = await alternate(rounds, {
    sample: (n) => echo(server, `${language}_${n}`, n),
    floor: (n) => floor.fresh({ n }),
  });
  yield {
    name: `${language} call, cold: the first of a tool`,
    unit: "ms",
    ...cold,
    floorName: floor.name,
    reach: { floorPlus: 5 },
  };
}

async function hundred(options: BenchOptions, server: Server): Promise<Row> {
  const floor = await floorOf(ECHOES.python3, { folder: options.folder });
  await server.register("python3", ECHOES.python3);
  const taken = await alternate(options.rounds(5), {
    sample: () =>
      timed(async () => {
        for (let n = 0; n < 100; n++) await echo(server, "python3", n);
      }),
    floor: () =>
      timed(async () => {
        for (let n = 0; n < 100; n++) await floor.fresh({ n });
      }),
  });
  return {
    name: "100 python3 calls, one after the other",
    unit: "ms",
    ...taken,
    floorName: "100 spawns, unconfined",
    reach: { floorTimes: 0.5 },
  };
}

async function echo(server: Server, tool: string, n: number): Promise<number> {
  const answer = await server.call(tool, { n });
  mustEqual(answer.structured, { echo: { n } }, `${tool} call`);
  return answer.ms;
}
