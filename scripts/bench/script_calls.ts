import type { SandboxChoice } from "../../src/base/sandbox_mode.ts";
import { print } from "../print.ts";
import { openWorld, type ScriptSource, type World } from "./script_world.ts";

/** One measured row, in milliseconds. */
export interface BenchRow {
  name: string;
  samples: number[];
  /** The same work done directly, in the same run. */
  floor?: number[];
}

/** Options of {@linkcode scriptRows}. */
export interface ScriptRowsOptions {
  /** Samples of each row. */
  rounds: number;
  /** @default "auto" */
  sandbox?: SandboxChoice;
}

const PYTHON = `import json, sys
req = json.loads(sys.stdin.readline())
print(json.dumps({"jsonrpc": "2.0", "id": req["id"], "result": {"echo": req["params"]["arguments"]}}), flush=True)
`;
const PERSISTENT = `import json, sys
for line in sys.stdin:
    req = json.loads(line)
    print(json.dumps({"jsonrpc": "2.0", "id": req["id"], "result": {"echo": req["params"]["arguments"]}}), flush=True)
`;
const SHELL = `read -r line\necho '{"jsonrpc":"2.0","id":1,"result":{"ok":true}}'\n`;
const NODE = `require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const req = JSON.parse(line);
  console.log(JSON.stringify({ jsonrpc: "2.0", id: req.id, result: { echo: req.params.arguments } }));
  process.exit(0);
});
`;
const DENO = `const buffer = new Uint8Array(4 << 20);
let size = 0;
while (!buffer.subarray(0, size).includes(10)) size += await Deno.stdin.read(buffer.subarray(size)) ?? 0;
const req = JSON.parse(new TextDecoder().decode(buffer.subarray(0, size)));
console.log(JSON.stringify({ jsonrpc: "2.0", id: req.id, result: { echo: req.params.arguments } }));
`;
/** Times what it asks of the server itself, each a hundred times. */
const ASKS = `import json, sys, time
req = json.loads(sys.stdin.readline())
def ask(m, p):
    print(json.dumps({"jsonrpc": "2.0", "id": 9, "method": m, "params": p}), flush=True)
    return json.loads(sys.stdin.readline())
out = {}
for m, p in (("memory/set", {"key": "k", "value": 1}), ("memory/get", {"key": "k"}), ("tools/call", {"name": "bash", "arguments": {}})):
    out[m] = []
    for _ in range(req["params"]["arguments"]["n"]):
        t = time.perf_counter(); ask(m, p); out[m].append((time.perf_counter() - t) * 1000)
print(json.dumps({"jsonrpc": "2.0", "id": req["id"], "result": out}), flush=True)
`;

const LANGUAGES = [
  { name: "python3", interpreter: "python3", extension: "py", code: PYTHON },
  { name: "node", interpreter: "node", extension: "js", code: NODE },
  { name: "deno", interpreter: "deno run", extension: "ts", code: DENO },
  { name: "bash", interpreter: "bash", extension: "sh", code: SHELL },
];

/** Measures calls of script tools, each language beside spawning its interpreter directly. */
export async function scriptRows({ rounds, sandbox = "auto" }: ScriptRowsOptions): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  const cold = await openWorld(sandbox, { standby: { max: 0 } });
  try {
    for (const language of LANGUAGES) {
      const tool = await cold.tool(language.name, language);
      await cold.call(tool);
      const row: Required<BenchRow> = { name: `${language.name} call, cold`, samples: [], floor: [] };
      for (let i = 0; i < rounds; i++) {
        row.samples.push(await timed(() => cold.call(tool)));
        row.floor.push(await timed(() => cold.direct(tool)));
      }
      rows.push(row);
    }
  } finally {
    await cold[Symbol.asyncDispose]();
  }
  const world = await openWorld(sandbox, {});
  try {
    for (const language of LANGUAGES) {
      const tool = await world.tool(language.name, language);
      await world.call(tool);
      const warm: BenchRow = { name: `${language.name} call, warm, one each 300 ms`, samples: [] };
      for (let i = 0; i < rounds; i++) {
        await new Promise((resolve) => setTimeout(resolve, 300));
        warm.samples.push(await timed(() => world.call(tool)));
      }
      const row: BenchRow = { name: `${language.name} call, one after the other`, samples: [] };
      for (let i = 0; i < rounds; i++) row.samples.push(await timed(() => world.call(tool)));
      rows.push(warm, row);
    }
    rows.push(...await moreRows(world, rounds));
  } finally {
    await world[Symbol.asyncDispose]();
  }
  return rows;
}

async function moreRows(world: World, rounds: number): Promise<BenchRow[]> {
  const persistent = await world.tool("persistent", {
    interpreter: "python3",
    extension: "py",
    code: PERSISTENT,
    manifest: { lifecycle: "persistent" },
  });
  await world.call(persistent);
  const calls: BenchRow = { name: "persistent python3 call", samples: [] };
  for (let i = 0; i < rounds * 5; i++) calls.samples.push(await timed(() => world.call(persistent)));
  const python = await world.tool("python3", LANGUAGES[0] as ScriptSource);
  const many: Required<BenchRow> = { name: "32 concurrent python3 calls", samples: [], floor: [] };
  for (let i = 0; i < 3; i++) {
    many.samples.push(await timed(() => Promise.all(Array.from({ length: 32 }, () => world.call(python)))));
    many.floor.push(await timed(() => Promise.all(Array.from({ length: 32 }, () => world.direct(python)))));
  }
  const big = { text: "x".repeat(1_000_000) };
  const large: BenchRow = { name: "persistent call, 1 MB there and back", samples: [] };
  for (let i = 0; i < rounds; i++) large.samples.push(await timed(() => world.call(persistent, big)));
  const asks = await world.tool("asks", { interpreter: "python3", extension: "py", code: ASKS });
  await world.tool("bash", LANGUAGES[3] as ScriptSource);
  const answer = (await world.call(asks, { n: rounds })).structuredContent ?? {};
  const asked = Object.entries(answer).map(([method, samples]): BenchRow => ({
    name: `one ${method} asked by a script`,
    samples: samples as number[],
  }));
  return [calls, many, large, ...asked];
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

if (import.meta.main) {
  const [choice = "auto"] = Deno.args;
  const figure = (samples: number[]) => {
    const sorted = [...samples].sort((a, b) => a - b);
    const at = (n: number) => (sorted.at(n) ?? 0).toFixed(2);
    return `${at(Math.floor(sorted.length / 2))} ms (${at(0)} to ${at(-1)})`;
  };
  for (const { name, samples, floor } of await scriptRows({ rounds: 20, sandbox: choice as SandboxChoice })) {
    print(`${name}: ${figure(samples)}${floor ? `, floor ${figure(floor)}` : ""}`);
  }
}
