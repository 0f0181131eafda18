import { join } from "node:path";

/** What the seeded tools are like. */
export interface SeedOptions {
  readonly count: number;
  /** Whether they are listed without activation. */
  readonly core?: boolean;
}

/** Fills a new TOOLS_DIR with script tools. Returns the paths of all that was written. */
export async function seedTools(toolsDir: string, { count, core = false }: SeedOptions): Promise<string[]> {
  // Older than the moment of reading, as in life: what was written just now is read again.
  const then = new Date(Date.now() - 60_000);
  const one = async (n: number) => {
    const name = `tool_${n}`;
    const folder = join(toolsDir, name);
    const own = [join(folder, "manifest.json"), join(folder, "main.py"), folder];
    const manifest = {
      name,
      version: "1.0.0",
      description: `Counts what there is to count, number ${n}`,
      tool_type: "script",
      interpreter: "python3",
      entry_file: "main.py",
      core,
      input_schema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    };
    await Deno.mkdir(folder, { recursive: true });
    await Deno.writeTextFile(join(folder, "manifest.json"), JSON.stringify(manifest));
    await Deno.writeTextFile(join(folder, "main.py"), "print(1)\n".repeat(20));
    for (const path of own) await Deno.utime(path, then, then);
    return own;
  };
  return (await Promise.all(Array.from({ length: count }, (_, n) => one(n)))).flat();
}
