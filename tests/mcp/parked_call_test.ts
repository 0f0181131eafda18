import assert from "node:assert/strict";
import { SkillzError } from "../../src/base/errors.ts";
import { ParkedCall, type Step } from "../../src/mcp/parked_call.ts";
import { waitFor } from "../support/wait_for.ts";
import type { Question } from "../../src/run/call_context.ts";

const never = new AbortController().signal;
const ask = (key?: string): Question => ({
  method: "elicitation/create",
  params: { message: "?" },
  ...(key === undefined ? {} : { key }),
});
const accept = (value: string) => ({ action: "accept", content: { value } });

function keysOf<T>(step: Step<T>): string[] {
  assert.equal(step.kind, "asks");
  return [...step.questions.keys()];
}

Deno.test("ParkedCall gives the value of a call that asks nothing", async () => {
  const call = new ParkedCall(() => Promise.resolve("value"));
  assert.deepEqual(await call.next(never), { kind: "done", value: "value" });
  assert.equal(call.round, 0);
});

Deno.test("ParkedCall throws what the call throws", async () => {
  const call = new ParkedCall(() => Promise.reject(new SkillzError("failed", "Cannot: no")));
  await assert.rejects(call.next(never), /Cannot: no/);
});

Deno.test("ParkedCall goes on with the answers, round after round", async () => {
  const call = new ParkedCall(async (self) => {
    const first = await self.ask(ask("one"), self.signal);
    const second = await self.ask(ask("two"), self.signal);
    return [first, second];
  });
  assert.deepEqual(keysOf(await call.next(never)), ["one"]);
  call.answer({ one: accept("a") });
  assert.deepEqual(keysOf(await call.next(never)), ["two"]);
  assert.equal(call.round, 2);
  call.answer({ two: { action: "decline" } });
  assert.deepEqual(await call.next(never), { kind: "done", value: [accept("a"), { action: "decline" }] });
});

Deno.test("ParkedCall puts questions that are asked together into one round, with keys of their own", async () => {
  const call = new ParkedCall((self) =>
    Promise.all([ask("x"), ask("x"), ask(), ask()].map((question) => self.ask(question, self.signal)))
  );
  const keys = keysOf(await call.next(never));
  assert.deepEqual(keys, ["x", "x-2", "q1", "q2"]);
  call.answer(Object.fromEntries(keys.map((key) => [key, accept(key)])));
  assert.deepEqual(await call.next(never), { kind: "done", value: keys.map(accept) });
});

Deno.test("ParkedCall asks again for what was not answered or not rightly", async () => {
  const call = new ParkedCall((self) =>
    Promise.all([ask("a"), ask("b"), ask("c")].map((question) => self.ask(question, self.signal)))
  );
  assert.deepEqual(keysOf(await call.next(never)), ["a", "b", "c"]);
  call.answer({ a: accept("1"), b: { action: "maybe" }, stranger: accept("2"), __proto__: accept("3") });
  assert.deepEqual(keysOf(await call.next(never)), ["b", "c"]);
  call.answer({ b: "text", c: accept("3") });
  assert.deepEqual(keysOf(await call.next(never)), ["b"]);
  call.abort(new SkillzError("cancelled", "Cannot go on: the test is over"));
});

Deno.test("ParkedCall checks answers to sampling and roots for what they are", async () => {
  const call = new ParkedCall(async (self) => {
    const sample = self.ask({ method: "sampling/createMessage", params: {}, key: "s" }, self.signal);
    const roots = self.ask({ method: "roots/list", params: {}, key: "r" }, self.signal);
    return [await sample, await roots];
  });
  await call.next(never);
  call.answer({ s: { text: "no" }, r: {} });
  assert.deepEqual(keysOf(await call.next(never)), ["s", "r"]);
  const sample = { role: "assistant", content: { type: "text", text: "hi" }, model: "m" };
  call.answer({ s: sample, r: { roots: [] } });
  assert.deepEqual(await call.next(never), { kind: "done", value: [sample, { roots: [] }] });
});

Deno.test("ParkedCall uses answers that were given beforehand, once each", async () => {
  const call = new ParkedCall(
    async (self) => [await self.ask(ask("a"), self.signal), await self.ask(ask("a"), self.signal)],
    { answers: { a: accept("known") } },
  );
  assert.deepEqual(keysOf(await call.next(never)), ["a"]);
  call.answer({ a: accept("new") });
  assert.deepEqual(await call.next(never), { kind: "done", value: [accept("known"), accept("new")] });
});

Deno.test("ParkedCall.next() ends the call when its request is cancelled", async () => {
  const cancel = new AbortController();
  const call = new ParkedCall((self) => self.ask(ask("a"), self.signal));
  await call.next(never);
  const waiting = call.next(cancel.signal);
  call.answer({});
  cancel.abort(new SkillzError("cancelled", "Cannot go on: cancelled"));
  const step = await waiting.catch((error: unknown) => error);
  // The question may have been put again before the cancellation came; the call ends all the same.
  if (!(step instanceof SkillzError)) await assert.rejects(call.next(never), /cancelled/);
  assert.ok(call.signal.aborted);
});

Deno.test("ParkedCall does not end when a request is cancelled that it no longer belongs to", async () => {
  const first = new AbortController();
  const call = new ParkedCall((self) => self.ask(ask("a"), self.signal));
  await call.next(first.signal);
  first.abort();
  call.answer({ a: accept("1") });
  assert.deepEqual(await call.next(never), { kind: "done", value: accept("1") });
});

Deno.test("ParkedCall.abort() lets questions fail with its reason", async () => {
  const call = new ParkedCall((self) => self.ask(ask("a"), self.signal));
  await call.next(never);
  call.abort(new SkillzError("timeout", "Cannot go on: too late"));
  await assert.rejects(call.next(never), /too late/);
  assert.equal(call.questions.size, 0);
});

Deno.test("ParkedCall drops a question whose asker gave up", async () => {
  const giveUp = new AbortController();
  const call = new ParkedCall(async (self) => {
    const lost = self.ask(ask("lost"), giveUp.signal).catch(() => "lost");
    return [await self.ask(ask("kept"), self.signal), await lost];
  });
  assert.deepEqual(keysOf(await call.next(never)), ["lost", "kept"]);
  giveUp.abort();
  await waitFor(() => call.questions.size === 1);
  assert.deepEqual([...call.questions.keys()], ["kept"]);
  call.answer({ kept: accept("1") });
  assert.deepEqual(await call.next(never), { kind: "done", value: [accept("1"), "lost"] });
});
