import { join } from "node:path";
import { Bus } from "../../src/base/bus.ts";
import { openToolStore } from "../../src/tools/open_tool_store.ts";
import { print } from "../print.ts";

/** How long it takes to load a folder of tools, in milliseconds, beside looking once at each of its files. */
export interface LoadToolsFigures {
  /** The first load: every manifest and script is read. */
  cold: number;
  /** Loads over the index file. */
  warm: number[];
  /** One `lstat` of each folder, manifest and script, many at once. */
  floor: number[];
}

/** Measures loading `count` script tools from a temporary TOOLS_DIR. */
export async function measureLoadTools(
  { count, rounds }: { count: number; rounds: number },
): Promise<LoadToolsFigures> {
  const toolsDir = await Deno.makeTempDir();
  try {
    const paths = await seed(toolsDir, count);
    const load = async () => {
      await using store = openToolStore({ toolsDir, bus: new Bus() });
      return await timed(() => store.load());
    };
    const figures: LoadToolsFigures = { cold: await load(), warm: [], floor: [] };
    for (let round = 0; round < rounds; round++) {
      figures.warm.push(await load());
      figures.floor.push(await timed(() => Promise.all(paths.map((path) => Deno.lstat(path)))));
    }
    return figures;
  } finally {
    await Deno.remove(toolsDir, { recursive: true });
  }
}

async function seed(toolsDir: string, count: number): Promise<string[]> {
  const paths: string[] = [];
  // Older than the moment of reading, as in life: what was written just now is read again.
  const then = new Date(Date.now() - 60_000);
  for (let n = 0; n < count; n++) {
    const name = `tool_${n}`;
    const folder = join(toolsDir, name);
    await Deno.mkdir(folder);
    const manifest = {
      name,
      version: "1.0.0",
      description: `Counts what there is to count, number ${n}`,
      tool_type: "script",
      interpreter: "python3",
      entry_file: "main.py",
      input_schema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    };
    await Deno.writeTextFile(join(folder, "manifest.json"), JSON.stringify(manifest));
    await Deno.writeTextFile(join(folder, "main.py"), "print(1)\n".repeat(20));
    const own = [join(folder, "manifest.json"), join(folder, "main.py"), folder];
    for (const path of own) await Deno.utime(path, then, then);
    paths.push(...own);
  }
  return paths;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

if (import.meta.main) {
  const { cold, warm, floor } = await measureLoadTools({ count: 1000, rounds: 20 });
  const text = (times: number[]) => {
    const sorted = [...times].sort((a, b) => a - b);
    const ms = (at: number) => (sorted.at(at) ?? 0).toFixed(1);
    return `${ms(Math.floor(sorted.length / 2))} ms (${ms(0)} to ${ms(-1)})`;
  };
  print(
    `load 1,000 tools: ${text(warm)}, first time ${cold.toFixed(0)} ms, lstat of their files ${text(floor)}`,
  );
}
