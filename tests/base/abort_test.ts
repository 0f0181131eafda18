import { deepEqual, equal, ok, rejects, throws } from "node:assert/strict";
import { anySignal, raceAbort, throwIfCancelled, withTimeout } from "../../src/base/abort.ts";
import { SkillzError } from "../../src/base/errors.ts";
import { wait } from "../../src/base/wait.ts";

const hasCode = (code: string) => (error: unknown) => error instanceof SkillzError && error.code === code;

Deno.test("withTimeout() aborts with an error that names what was limited, and the limit", async () => {
  using limit = withTimeout(undefined, { ms: 5, what: "reach the engine" });
  await rejects(wait(60_000, { signal: limit.signal }), (error) => {
    ok(error instanceof SkillzError);
    deepEqual([error.code, error.message], [
      "timeout",
      "Cannot reach the engine: it takes longer than the 5 ms that are allowed",
    ]);
    return true;
  });
});

Deno.test("withTimeout() aborts with its parent, before or after", () => {
  const parent = new AbortController();
  using limit = withTimeout(parent.signal, { ms: 60_000, what: "wait" });
  equal(limit.signal.aborted, false);
  parent.abort("reason");
  equal(limit.signal.reason, "reason");
  using late = withTimeout(parent.signal, { ms: 60_000, what: "wait" });
  equal(late.signal.reason, "reason");
});

Deno.test("withTimeout() does nothing once disposed", () => {
  const parent = new AbortController();
  const limit = withTimeout(parent.signal, { ms: 60_000, what: "wait" });
  limit[Symbol.dispose]();
  parent.abort();
  equal(limit.signal.aborted, false);
});

Deno.test("withTimeout() takes limits longer than a timer does", () => {
  using limit = withTimeout(undefined, { ms: 2 ** 40, what: "wait" });
  equal(limit.signal.aborted, false);
});

Deno.test("anySignal() aborts with the first, and lets go at the end of its scope", () => {
  const [one, two] = [new AbortController(), new AbortController()];
  {
    using any = anySignal(one.signal, undefined, two.signal);
    two.abort("two");
    one.abort("one");
    equal(any.signal.reason, "two");
  }
  const three = new AbortController();
  const scoped = anySignal(three.signal);
  scoped[Symbol.dispose]();
  three.abort();
  equal(scoped.signal.aborted, false);
});

Deno.test("raceAbort() gives what comes first", async () => {
  equal(await raceAbort(Promise.resolve(1), new AbortController().signal), 1);
  equal(await raceAbort(Promise.resolve(2), undefined), 2);
  await rejects(raceAbort(Promise.reject(new Error("Own")), new AbortController().signal), /Own/);
  await rejects(raceAbort(new Promise(() => {}), AbortSignal.abort(new Error("Enough"))), /Enough/);
  const controller = new AbortController();
  const race = raceAbort(new Promise(() => {}), controller.signal);
  controller.abort(new Error("Later"));
  await rejects(race, /Later/);
});

Deno.test("raceAbort() drops a rejection that comes after the abort", async () => {
  const { promise, reject } = Promise.withResolvers<void>();
  await rejects(raceAbort(promise, AbortSignal.abort(new Error("Enough"))), /Enough/);
  reject(new Error("Nobody hears this"));
  await promise.catch(() => {});
});

Deno.test("throwIfCancelled() tells a cancel from a limit", () => {
  throwIfCancelled(undefined, "x");
  throwIfCancelled(new AbortController().signal, "x");
  throws(() => throwIfCancelled(AbortSignal.abort(), "read"), hasCode("cancelled"));
  throws(
    () => throwIfCancelled(AbortSignal.abort(new SkillzError("timeout", "A")), "read"),
    hasCode("timeout"),
  );
});

Deno.test("wait() ends with its time, its promise, or its signal", async () => {
  await wait(1);
  await wait(60_000, { until: Promise.resolve() });
  await wait(60_000, { until: Promise.reject(new Error("Also an end")) });
  await rejects(wait(60_000, { signal: AbortSignal.abort(new Error("Enough")) }), /Enough/);
});
