import { deepEqual, equal } from "node:assert/strict";
import { needs } from "../support/needs.ts";
import { bench } from "./_fixture.ts";

Deno.test({
  name: "createScriptRunner() runs a bash script and returns its answer",
  ignore: needs("bash"),
  async fn() {
    await using place = await bench();
    const tool = await place.tool("hello", {
      interpreter: "bash",
      code: `read -r l\necho '{"jsonrpc":"2.0","id":1,"result":{"ok":true}}'\n`,
    });
    const result = await place.call(tool);
    deepEqual(result.structuredContent, { ok: true });
    equal(result.content[0]?.text, '{"ok":true}');
  },
});
