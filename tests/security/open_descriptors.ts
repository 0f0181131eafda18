/** Prints which descriptors a tool of a sandbox in the given mode has; for `races_test.ts`. */
import { stdout } from "node:process";
import { openBench } from "../support/sandboxed.ts";

await using bench = await openBench(Deno.args[0] === "none" ? "none" : "bubblewrap");
const code = `import os
print(*[fd for fd in range(256) if os.path.exists(f"/proc/self/fd/{fd}")])`;
const result = await bench.run({ command: ["python3", "-c", code], permissions: {} });
stdout.write(result.stdout);
