import assert from "node:assert/strict";
import type { JsonObject } from "../../src/base/json.ts";
import { cannotAsk, missingCapability, readCapabilities } from "../../src/mcp/client_capabilities.ts";
import type { Question } from "../../src/run/call_context.ts";

const form: Question = { method: "elicitation/create", params: { message: "?" } };
const page: Question = { method: "elicitation/create", params: { mode: "url", url: "https://example.com" } };
const sampling: Question = { method: "sampling/createMessage", params: { messages: [] } };
const withTools: Question = { method: "sampling/createMessage", params: { messages: [], tools: [] } };
const roots: Question = { method: "roots/list", params: {} };

const CASES: readonly [JsonObject, readonly Question[]][] = [
  [{}, []],
  [{ elicitation: {} }, [form]],
  [{ elicitation: { form: {} } }, [form]],
  [{ elicitation: { url: {} } }, [page]],
  [{ elicitation: { form: {}, url: {} } }, [form, page]],
  [{ sampling: {} }, [sampling]],
  [{ sampling: { tools: {} } }, [sampling, withTools]],
  [{ roots: { listChanged: true } }, [roots]],
  [{ roots: true, sampling: "yes", elicitation: null }, []],
];

for (const [declared, possible] of CASES) {
  Deno.test(`B21 missingCapability() allows just what ${JSON.stringify(declared)} declares`, () => {
    for (const question of [form, page, sampling, withTools, roots]) {
      const missing = missingCapability(question, declared);
      assert.equal(missing === undefined, possible.includes(question), JSON.stringify(question));
    }
  });
}

Deno.test("B21 cannotAsk() names the capability and says what to do", () => {
  const names = [form, page, sampling, withTools, roots].map((question) => {
    const error = cannotAsk(question, missingCapability(question, {}) ?? {});
    assert.ok(error.code === "unavailable" && error.hint !== undefined);
    return error.message.split(" ").at(-1);
  });
  assert.deepEqual(names, ["elicitation.form", "elicitation.url", "sampling", "sampling.tools", "roots"]);
});

Deno.test("readCapabilities() tells running code the truth", () => {
  assert.deepEqual(readCapabilities({ elicitation: { url: {} }, sampling: {} }), {
    sampling: true,
    elicitation: false,
    elicitationUrl: true,
    roots: false,
  });
});
