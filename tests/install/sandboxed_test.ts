import assert from "node:assert/strict";
import { needs } from "../support/needs.ts";
import { installBench, TIMEOUT_MS } from "./_bench.ts";

Deno.test({
  name: "installers work inside bubblewrap",
  ignore: needs("bwrap", "node", "npm"),
  async fn() {
    await using bench = await installBench({ choice: "bubblewrap" });
    const options = { timeoutMs: TIMEOUT_MS };
    const npm = { language: "node", interpreter: "node", dependencies: ["left-pad@1.3.0"] } as const;
    const deno = { language: "deno", interpreter: "deno", dependencies: ["npm:left-pad@1.3.0"] } as const;
    assert.match((await bench.store.ensure(npm, options)).lock, /left-pad/);
    assert.match((await bench.store.ensure(deno, options)).lock, /left-pad/);
  },
});

Deno.test({
  name: "pip or uv works inside bubblewrap",
  ignore: needs("bwrap", "python3"),
  async fn() {
    await using bench = await installBench({ choice: "bubblewrap" });
    const six = { language: "python", interpreter: "python3", dependencies: ["six==1.16.0"] } as const;
    const environment = await bench.store.ensure(six, { timeoutMs: TIMEOUT_MS });
    assert.equal(environment.lock.trim(), "six==1.16.0");
  },
});
