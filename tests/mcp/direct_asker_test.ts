import assert from "node:assert/strict";
import { InMemoryTransport, type JSONRPCMessage, Server } from "@modelcontextprotocol/server";
import { z } from "zod";
import { type ErrorCode, SkillzError } from "../../src/base/errors.ts";
import type { JsonObject } from "../../src/base/json.ts";
import { DirectAsker } from "../../src/mcp/direct_asker.ts";
import type { Question } from "../../src/run/call_context.ts";

const form: Question = {
  method: "elicitation/create",
  params: { message: "?", requestedSchema: { type: "object", properties: {} } },
};

/** What a client that answers in this way brings about; `seen` are the requests that it got. */
async function ask(
  question: Question,
  answer: (request: JsonObject) => object | undefined,
  signal = new AbortController().signal,
): Promise<{ answer?: JsonObject; error?: unknown; seen: JsonObject[] }> {
  const server = new Server({ name: "s", version: "1" }, { capabilities: {} });
  const { promise: outcome, resolve } = Promise.withResolvers<{ answer?: JsonObject; error?: unknown }>();
  server.setRequestHandler("test/ask", { params: z.looseObject({}) }, (_params, ctx) => {
    new DirectAsker(ctx, { timeoutMs: 100 }).ask(question, signal)
      .then((given) => resolve({ answer: given }), (error: unknown) => resolve({ error }));
    return outcome.then(() => ({}));
  });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const seen: JsonObject[] = [];
  ours.onmessage = (message: JSONRPCMessage) => {
    if (!("method" in message)) return;
    const request = JSON.parse(JSON.stringify(message));
    seen.push(request);
    const reply = answer(request);
    if (reply && "id" in message) ours.send({ jsonrpc: "2.0", id: message.id, ...reply } as JSONRPCMessage);
  };
  await server.connect(theirs);
  await ours.send({ jsonrpc: "2.0", id: 1, method: "test/ask", params: {} });
  const result = await outcome;
  await server.close();
  return { ...result, seen };
}

const hasCode = (error: unknown, code: ErrorCode) =>
  assert.equal(error instanceof SkillzError && error.code, code);

Deno.test("DirectAsker brings the client's answer", async () => {
  const { answer, seen } = await ask(form, () => ({ result: { action: "decline" } }));
  assert.deepEqual(answer, { action: "decline" });
  assert.equal((seen[0]?.params as JsonObject).mode, "form");
});

Deno.test("DirectAsker gives a page that is to be opened the id that this era wants", async () => {
  const page: Question = {
    method: "elicitation/create",
    params: { mode: "url", message: "!", url: "https://x.example" },
  };
  const { seen } = await ask(page, () => ({ result: { action: "accept" } }));
  assert.match(String((seen[0]?.params as JsonObject).elicitationId), /^[\w-]{36}$/);
});

Deno.test("B21 DirectAsker waits no longer than it should for a client that never answers", async () => {
  const { error, seen } = await ask(form, () => undefined);
  hasCode(error, "timeout");
  assert.equal(seen[1]?.method, "notifications/cancelled");
});

Deno.test("DirectAsker tells which error the client answered", async () => {
  const { error } = await ask(form, () => ({ error: { code: -1, message: "User said no" } }));
  hasCode(error, "failed");
  assert.match(String(error), /error -1, User said no/);
});

Deno.test("DirectAsker does not take an answer that is none", async () => {
  const { error } = await ask(form, () => ({ result: { action: "maybe" } }));
  hasCode(error, "unavailable");
});

Deno.test("DirectAsker takes its question back when the call is cancelled", async () => {
  const abort = new AbortController();
  const reason = new SkillzError("cancelled", "Cannot: cancelled");
  const { error, seen } = await ask(form, () => {
    abort.abort(reason);
    return undefined;
  }, abort.signal);
  assert.equal(error, reason);
  assert.equal(seen.at(-1)?.method, "notifications/cancelled");
});

Deno.test("DirectAsker brings roots of any kind, whoever reads them leaves some out", async () => {
  const question: Question = { method: "roots/list", params: {} };
  const foreign = { roots: [{ uri: "vscode-remote://ssh/x" }, { uri: "file:///a" }] };
  for (const result of [foreign, { roots: [] }, { roots: [{ uri: "/plain/path", name: "n" }] }]) {
    assert.deepEqual((await ask(question, () => ({ result }))).answer, result);
  }
});
