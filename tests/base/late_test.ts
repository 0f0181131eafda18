import assert from "node:assert/strict";
import { SkillzError } from "../../src/base/errors.ts";
import { late } from "../../src/base/late.ts";

interface Counter extends AsyncDisposable {
  add(n: number): Promise<number>;
  forget(): Promise<void>;
  extra?(): Promise<string>;
}

class RealCounter implements Counter {
  closed = 0;
  forgotten = 0;
  #sum = 0;

  add(n: number): Promise<number> {
    return Promise.resolve(this.#sum += n);
  }

  forget(): Promise<void> {
    this.forgotten++;
    return Promise.resolve();
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.closed++;
    return Promise.resolve();
  }
}

Deno.test("late() makes the object once, at the first call, and hands every call on", async () => {
  const made: RealCounter[] = [];
  const counter = late<Counter>(() => {
    made.push(new RealCounter());
    return Promise.resolve(made[0] as RealCounter);
  });
  assert.equal(made.length, 0);
  assert.deepEqual(await Promise.all([counter.add(1), counter.add(2)]), [1, 3]);
  assert.equal(made.length, 1);
  assert.equal(await counter.extra?.(), undefined);
  await counter[Symbol.asyncDispose]();
  await counter[Symbol.asyncDispose]();
  assert.equal(made[0]?.closed, 1);
});

Deno.test("late() makes nothing to be disposed, nor for calls that would be needless", async () => {
  let made = 0;
  const counter = late<Counter>(() => {
    made++;
    return Promise.resolve(new RealCounter());
  }, { needless: ["forget"] });
  await counter.forget();
  await counter[Symbol.asyncDispose]();
  assert.equal(made, 0);
});

Deno.test("late() hands on what is needless before, once there is an object", async () => {
  const real = new RealCounter();
  const counter = late<Counter>(() => Promise.resolve(real), { needless: ["forget"] });
  await counter.add(1);
  await counter.forget();
  assert.equal(real.forgotten, 1);
});

Deno.test("late() tries again when the making failed", async () => {
  let tries = 0;
  const counter = late<Counter>(() => {
    if (++tries === 1) throw new Error("not yet");
    return Promise.resolve(new RealCounter());
  });
  await assert.rejects(() => counter.add(1), /not yet/);
  assert.equal(await counter.add(1), 1);
});

Deno.test("late() refuses calls once it was disposed", async () => {
  const counter = late<Counter>(() => Promise.resolve(new RealCounter()));
  await counter[Symbol.asyncDispose]();
  await assert.rejects(
    () => counter.add(1),
    (error) => error instanceof SkillzError && error.code === "cancelled",
  );
});

Deno.test("late() can be returned from an async function: it is no promise", async () => {
  const counter = late<Counter>(() => Promise.resolve(new RealCounter()));
  const same = await Promise.resolve(counter);
  assert.equal(same, counter);
});
