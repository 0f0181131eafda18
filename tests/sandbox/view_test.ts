import { equal } from "node:assert/strict";
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { needs } from "../support/needs.ts";
import { openBench } from "../support/sandboxed.ts";

for (const mode of ["bubblewrap", "firejail", "nsjail"] as const) {
  Deno.test({
    name: `wrap() shows a program of TOOLS_DIR, and nothing beside it, where the workspace holds it: ${mode}`,
    ignore: needs(mode === "bubblewrap" ? "bwrap" : mode),
    async fn() {
      await using bench = await openBench(mode);
      const folder = join(bench.toolsDir, ".runtime", "own");
      const program = join(folder, "cat");
      await mkdir(folder, { recursive: true });
      await copyFile("/bin/cat", program);
      await writeFile(join(folder, "secret"), "secret");
      const access = { roots: [bench.path] };
      const fine = await bench.run({ command: [program], input: "given", access });
      equal(`${fine.stdout}${fine.stderr}`, "given");
      const refused = await bench.run({ command: [program, join(folder, "secret")], access });
      // An empty file stands in for it under firejail.
      equal(refused.stdout, "");
    },
  });
}
