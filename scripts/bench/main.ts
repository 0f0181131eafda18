/**
 * `deno task bench [--only GROUP,…] [--quick] [--json FILE] [--command "PROGRAM ARG …"] [--compiled FILE]`: measures the
 * server from outside, as a client sees it, each row beside its floor in the same run. Slow figures fail nothing, wrong
 * answers do.
 */
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { print } from "../print.ts";
import type { BenchOptions, Group } from "./group.ts";
import { bidi } from "./groups/bidi.ts";
import { build } from "./groups/build.ts";
import { code } from "./groups/code.ts";
import { conc } from "./groups/conc.ts";
import { http } from "./groups/http.ts";
import { imported } from "./groups/imported.ts";
import { list } from "./groups/list.ts";
import { memory } from "./groups/memory.ts";
import { modes } from "./groups/modes.ts";
import { payload } from "./groups/payload.ts";
import { persistent } from "./groups/persistent.ts";
import { pipeline } from "./groups/pipeline.ts";
import { rss } from "./groups/rss.ts";
import { scripts } from "./groups/scripts.ts";
import { soak } from "./groups/soak.ts";
import { start } from "./groups/start.ts";
import { wasm } from "./groups/wasm.ts";
import { machineFacts } from "./machine.ts";
import { headLine, rowJson, rowLine } from "./table.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Every group, in the order of the table. */
const GROUPS = {
  start,
  list,
  scripts,
  modes,
  persistent,
  memory,
  bidi,
  wasm,
  build,
  code,
  pipeline,
  payload,
  http,
  imported,
  conc,
  rss,
  soak,
} as const satisfies Record<string, Group>;

/** How often a quick run measures. */
const QUICK_ROUNDS = 2;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      only: { type: "string", default: Object.keys(GROUPS).join(",") },
      quick: { type: "boolean", default: false },
      json: { type: "string", default: "bench-results.json" },
      command: { type: "string", default: `${Deno.execPath()} run -A ${join(ROOT, "main.ts")}` },
      compiled: { type: "string", default: join(ROOT, "dist", "skillz") },
    },
  });
  const chosen = values.only.split(",").filter(Boolean);
  const unknown = chosen.filter((name) => !Object.hasOwn(GROUPS, name));
  if (chosen.length === 0 || unknown.length > 0) {
    print(
      `Cannot measure: no group named ${unknown.join(", ")}; there are ${Object.keys(GROUPS).join(", ")}`,
    );
    return 2;
  }
  const folder = await Deno.makeTempDir({ dir: tmpdir(), prefix: "skillz-bench-" });
  const there = await Deno.stat(values.compiled).then(({ isFile }) => isFile, () => false);
  const options: BenchOptions = {
    command: values.command.split(" ").filter(Boolean),
    ...(there ? { compiled: [values.compiled] } : {}),
    rounds: (usual) => values.quick ? Math.min(usual, QUICK_ROUNDS) : usual,
    folder,
  };
  try {
    return await measure(chosen as (keyof typeof GROUPS)[], { options, json: values.json });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function measure(
  chosen: readonly (keyof typeof GROUPS)[],
  { options, json }: { options: BenchOptions; json: string },
): Promise<number> {
  const machine = machineFacts();
  print(`${machine.cores} × ${machine.cpu}, ${machine.memoryGb} GB, ${machine.system}, Deno ${machine.deno}`);
  print(`load ${machine.load.join(" ")}; ${options.command.join(" ")}`);
  print(headLine());
  const rows: Record<string, unknown>[] = [];
  const failures: { group: string; reason: string }[] = [];
  for (const group of chosen) {
    try {
      for await (const row of GROUPS[group](options)) {
        print(rowLine(row));
        rows.push({ group, ...rowJson(row) });
      }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      print(`${group}: FAILED: ${reason}`);
      failures.push({ group, reason });
    }
  }
  const ended = machineFacts();
  print(`load at the end ${ended.load.join(" ")}`);
  await Deno.mkdir(dirname(json), { recursive: true });
  const report = { when: new Date().toISOString(), machine, loadAtEnd: ended.load, rows, failures };
  await Deno.writeTextFile(json, `${JSON.stringify(report, undefined, 1)}\n`);
  return failures.length > 0 ? 1 : 0;
}

if (import.meta.main) Deno.exit(await main());
