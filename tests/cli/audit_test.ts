import { deepEqual, doesNotMatch, equal, ok } from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject } from "../../src/base/json.ts";
import { needs } from "../support/needs.ts";
import { type TestApp, testApp } from "../support/test_app.ts";
import { waitFor } from "../support/wait_for.ts";

/** Entries of calls of one tool, once there are so many. */
async function entriesOf(
  app: TestApp,
  { tool, count }: { tool: string; count: number },
): Promise<JsonObject[]> {
  const path = join(app.toolsDir, "audit", "audit.jsonl");
  return await waitFor(async () => {
    const text = await readFile(path, "utf8").catch(() => "");
    const all: JsonObject[] = text.split("\n").filter(Boolean).map((line) => JSON.parse(line));
    const mine = all.filter((entry) => entry.tool === tool);
    return mine.length >= count ? mine : undefined;
  }) ?? [];
}

Deno.test({
  name: "each call is kept with who, what, how it ended and what confined it, and no value of its arguments",
  ignore: needs("python3"),
  async fn() {
    await using app = await testApp();
    const code = "from skillz import tool\n@tool\ndef main(**given):\n    return 1 if given else 1 / 0";
    await app.data("register_script", {
      name: "t",
      description: "d",
      interpreter: "python3",
      code,
      permissions: { read: ["$ROOTS"] },
    });
    await app.call("t", { password: "hunter22", list: [1, 2], deep: { a: null } });
    await app.call("t");
    await app.call("execute_code", {
      language: "javascript",
      code: 'return await tools.t({ password: "hunter22" })',
    });
    const [first, failed, nested] = await entriesOf(app, { tool: "t", count: 3 });
    ok(first && failed && nested);
    const { time, duration_ms, hash, call_id, isolation, ...rest } = first;
    ok(Math.abs(Date.parse(String(time)) - Date.now()) < 600_000);
    ok(Number(duration_ms) > 0);
    equal(hash, app.app.store.get("t")?.hash);
    ok(call_id);
    equal(typeof (isolation as JsonObject).mode, "string");
    deepEqual(rest, {
      session_id: "test",
      client: "test 1.0.0",
      chain: [],
      tool: "t",
      version: "1.0.0",
      permissions: { read: ["$ROOTS"] },
      arguments: { password: "string", list: "array(2)", deep: { a: "null" } },
      outcome: "ok",
    });
    equal(failed.outcome, "error");
    deepEqual(nested.chain, ["execute_code"]);
    const [register] = await entriesOf(app, { tool: "register_script", count: 1 });
    equal((register?.arguments as JsonObject).code, "string");
    doesNotMatch(await readFile(join(app.toolsDir, "audit", "audit.jsonl"), "utf8"), /hunter22/);
  },
});

Deno.test({
  name: "denied accesses are kept, and told in the metadata of the result",
  ignore: needs("python3", "bwrap"),
  async fn() {
    await using app = await testApp({ env: { SKILLZ_SANDBOX: "bubblewrap" } });
    await app.data("register_script", {
      name: "t",
      description: "d",
      interpreter: "python3",
      code: `from skillz import tool
import urllib.request
@tool
def main(url: str):
    try: urllib.request.urlopen(url, timeout=20)
    except Exception as error: return str(error)`,
      permissions: { net: ["api.example.com"] },
    });
    const result = await app.call("t", { url: "http://other.example.org/" });
    equal(result.isError, undefined);
    deepEqual(result._meta?.["skillz/denied"], ["net other.example.org"]);
    const [entry] = await entriesOf(app, { tool: "t", count: 1 });
    deepEqual(entry?.denied, ["net other.example.org"]);
    equal((entry?.isolation as JsonObject).network, "hosts");
  },
});
