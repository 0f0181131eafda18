import assert from "node:assert/strict";
import { trimMemory } from "../../src/cli/trim_memory.ts";
import { waitFor } from "../support/wait_for.ts";

Deno.test("trimMemory() collects what nothing holds any more", async () => {
  const held = {};
  const gone = new WeakRef(makeGarbage());
  const kept = new WeakRef(held);
  using _trim = trimMemory({ count: 0, total: 0 }, { quietMs: 1, everyMs: 1 });
  await waitFor(() => gone.deref() === undefined, { timeoutMs: 30_000 });
  assert.equal(kept.deref(), held);
});

Deno.test("trimMemory() collects once, and again after many calls", async () => {
  const activity = { count: 0, total: 0 };
  let times = 0;
  using _trim = trimMemory(activity, { quietMs: 1, everyMs: 1, afterCalls: 10, collect: () => times++ });
  await waitFor(() => times > 0, { timeoutMs: 30_000 });
  activity.total = 9;
  await turns(20);
  assert.equal(times, 1);
  activity.total = 10;
  await waitFor(() => times > 1, { timeoutMs: 30_000 });
  await turns(20);
  assert.equal(times, 2);
});

Deno.test("trimMemory() waits until no call runs", async () => {
  const activity = { count: 1, total: 1 };
  let times = 0;
  using _trim = trimMemory(activity, { quietMs: 1, everyMs: 1, collect: () => times++ });
  await turns(20);
  assert.equal(times, 0);
  activity.count = 0;
  await waitFor(() => times > 0, { timeoutMs: 30_000 });
});

Deno.test("trimMemory() does nothing once it was disposed", async () => {
  let times = 0;
  trimMemory({ count: 0, total: 0 }, { quietMs: 1, everyMs: 1, collect: () => times++ })[Symbol.dispose]();
  await turns(20);
  assert.equal(times, 0);
});

function makeGarbage(): object {
  return { big: new Array(1000).fill(0) };
}

/** As many turns of the same timers as could have been missed. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setTimeout(resolve, 1));
}
