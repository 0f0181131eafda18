import { fileURLToPath } from "node:url";
import { startBare } from "../bare_server.ts";
import type { BenchOptions } from "../group.ts";
import { alternate, mustEqual } from "../measure.ts";
import type { NotBuilt, Row } from "../row.ts";
import { startServer } from "../server.ts";

/** A call of an imported server's tool, beside calling that server directly. */
export async function* imported(options: BenchOptions): AsyncGenerator<Row | NotBuilt> {
  const name = "import_mcp, call of an imported tool";
  await using server = await startServer(options);
  if (!await server.has("import_mcp")) return yield { name, notBuilt: true };
  const loop = fileURLToPath(new URL("../bare_loop.ts", import.meta.url));
  await server.call("import_mcp", { name: "bare", command: Deno.execPath(), args: ["run", "-A", loop] });
  await using bare = startBare();
  await bare.initialize();
  const call = async (n: number) => {
    const { ms, text } = await server.call("bare_echo", { n });
    mustEqual(text, JSON.stringify({ n }), "imported call");
    return ms;
  };
  await call(0);
  yield {
    name,
    unit: "ms",
    ...await alternate(options.rounds(100), {
      sample: call,
      floor: async (n) => (await bare.request("tools/call", { name: "echo", arguments: { n } })).ms,
    }),
    floorName: "that server itself",
    reach: { floorPlus: 1 },
  };
}
