import { environmentOfChildren } from "../environment.ts";
import type { BenchOptions } from "../group.ts";
import { alternate, mustEqual, timed } from "../measure.ts";
import type { Row } from "../row.ts";
import { PERSISTENT_ECHO } from "../scripts.ts";
import { startServer } from "../server.ts";

const CODE = `let sum = 0;
for (const n of [1, 2, 3]) sum += (await tools.echo({ n })).echo.n;
return sum;
`;

const ECHO_SCHEMAS = {
  input_schema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
  output_schema: {
    type: "object",
    properties: { echo: { type: "object", properties: { n: { type: "number" } }, required: ["n"] } },
    required: ["echo"],
  },
};

/** A program that calls three tools, its types checked first. */
export async function* code(options: BenchOptions): AsyncGenerator<Row> {
  await using server = await startServer(options);
  await server.register("echo", { ...PERSISTENT_ECHO, ...ECHO_SCHEMAS });
  const run = async (language: "typescript" | "javascript") => {
    const { ms, structured } = await server.call("execute_code", { code: CODE, language });
    mustEqual((structured as { result?: unknown } | undefined)?.result, 6, "execute_code");
    return ms;
  };
  await run("typescript");
  for (const language of ["typescript", "javascript"] as const) {
    yield {
      name: `execute_code, three calls, ${language}${language === "typescript" ? ", types checked" : ""}`,
      unit: "ms",
      ...await alternate(options.rounds(20), { sample: () => run(language), floor: bareDeno }),
      floorName: "deno run, empty program",
      reach: { limit: 250 },
    };
  }
}

async function bareDeno(): Promise<number> {
  return await timed(() =>
    new Deno.Command(Deno.execPath(), {
      args: ["run", "--no-config", "--no-lock", "--no-prompt", "data:text/javascript,0"],
      env: environmentOfChildren(),
      clearEnv: true,
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).output()
  );
}
