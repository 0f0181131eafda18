import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { denoFlags } from "../../src/sandbox/deno_flags.ts";
import { needs } from "../support/needs.ts";
import { type Bench, openBench } from "../support/sandboxed.ts";

const PROGRAMS = { bubblewrap: "bwrap", nsjail: "nsjail", firejail: "firejail", none: "sh" } as const;
const MOST = 80;

/** Opens files until it may no more, then tells how many, and whether one can be opened after closing one. */
const CODE = {
  python: `import os
held = []
try:
    while len(held) < 5000: held.append(os.open("/dev/null", os.O_RDONLY))
    print("no limit")
except OSError as error:
    os.close(held.pop())
    print(error.errno, len(held) < ${MOST}, os.open("/dev/null", os.O_RDONLY) > 0)`,
  typescript: `const held: Deno.FsFile[] = [];
try {
  while (held.length < 5000) held.push(Deno.openSync(Deno.args[0]));
  console.log("no limit");
} catch (error) {
  held.pop()?.close();
  using again = Deno.openSync(Deno.args[0]);
  console.log((error as { code?: string }).code === "EMFILE" ? 24 : String(error), held.length < ${MOST}, again !== undefined);
}`,
  bash: `n=0
while [ $n -lt 5000 ] && { exec {fd}</dev/null; } 2>/dev/null; do n=$((n + 1)); last=$fd; done
exec {last}<&-
[ $n -lt ${MOST} ] && exec {fd}</dev/null && echo 24 True True`,
} as const;

async function run(bench: Bench, language: keyof typeof CODE) {
  const entry = join(bench.tool, `main.${language === "typescript" ? "ts" : language}`);
  await writeFile(entry, CODE[language]);
  const flags = denoFlags(await bench.access({}), { dependencies: [], memoryMb: 256 });
  const command: Record<keyof typeof CODE, [string, ...string[]]> = {
    python: ["python3", entry],
    typescript: ["deno", "run", ...flags, entry, entry],
    bash: ["bash", entry],
  };
  return await bench.run({
    kind: language === "typescript" ? "deno" : "script",
    command: command[language],
    permissions: {},
    limits: { open_files: MOST },
  });
}

for (const [mode, program] of Object.entries(PROGRAMS)) {
  Deno.test({
    name: `${mode} lets no process open more files than its limit, and lets it open those`,
    ignore: needs(program, "python3", "bash"),
    async fn() {
      await using bench = await openBench(mode as keyof typeof PROGRAMS);
      // The kernel holds it, the same way in every mode.
      const languages = (Object.keys(CODE) as (keyof typeof CODE)[]).filter((name) =>
        mode === "bubblewrap" || name === "python"
      );
      for (const language of languages) {
        const { stdout, stderr } = await run(bench, language);
        assert.equal(stdout.trim().toLowerCase(), "24 true true", `${language}: ${stderr}`);
      }
    },
  });
}
