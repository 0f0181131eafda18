import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { errorText } from "../../src/base/errors.ts";
import { resultText } from "../../src/base/tool_result.ts";
import { needs } from "../support/needs.ts";
import { serverEnvironment } from "../support/server.ts";
import { testApp } from "../support/test_app.ts";

const GIGABYTE = 2 ** 30;

/** What is used up, by how much it is too much and by which limit it ends, and how much of it is fine. */
const ATTACKS = [
  { what: "compute", much: 1e15, fine: 1000, limit: /limits\.(cpu_ms is 2000|timeout_ms is 8000)/ },
  { what: "sleep", much: 3_600_000, fine: 20, limit: /limits\.timeout_ms is 8000/ },
  { what: "memory", much: 5000, fine: 10, limit: /limits\.memory_mb is 64/ },
  { what: "stack", much: 1e9, fine: 10, limit: /stack is full/ },
  { what: "files", much: 5000, fine: 10, limit: /Too many open files|No file descriptors available/ },
  { what: "disk", much: 20_000_000, fine: 1000, limit: /File too large/ },
  { what: "stdout", much: GIGABYTE, fine: 100_000, limit: /limits\.output_bytes is 500000/ },
] as const;

Deno.test({
  name: "a module that uses something up ends by the limit, and one that does so moderately runs",
  ignore: needs("rustc", "wasm32-wasip1"),
  async fn() {
    await using app = await testApp({ env: serverEnvironment({}) });
    const code = await readFile(new URL("./wasm/hostile.rs", import.meta.url), "utf8");
    const made = await app.call("build_tool", {
      name: "hostile",
      description: "d",
      code,
      limits: {
        timeout_ms: 8000,
        cpu_ms: 2000,
        memory_mb: 64,
        open_files: 64,
        file_bytes: 1_000_000,
        output_bytes: 500_000,
      },
    });
    assert.equal(made.isError, undefined, resultText(made));
    // What a call may not do comes as a result or as an error, as the limit is one of the module or of the call.
    const told = async (what: string, n: number) => {
      try {
        return resultText(await app.call("hostile", { what, n }));
      } catch (error) {
        return errorText(error);
      }
    };
    for (const { what, much, fine, limit } of ATTACKS) {
      assert.match(await told(what, fine), /done\n?$/, what);
      assert.match(await told(what, much), limit, what);
    }
    // Standard error is no result: it is left behind, and the answer comes.
    const before = Deno.memoryUsage().rss;
    assert.match(await told("stderr", GIGABYTE / 4), /done\n?$/);
    assert.ok(Deno.memoryUsage().rss - before < 200 * 2 ** 20);
    const last = await app.call("hostile", { what: "compute", n: 1 });
    assert.equal((last._meta?.["skillz/isolation"] as { mode: string }).mode, "wasm");
  },
});
