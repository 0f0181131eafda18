import { deepEqual, equal, rejects } from "node:assert/strict";
import { Semaphore } from "../../src/base/semaphore.ts";

Deno.test("Semaphore lets as many through as it has places, in the order they came", async () => {
  const semaphore = new Semaphore(2);
  const order: number[] = [];
  let running = 0;
  let most = 0;
  await Promise.all(Array.from({ length: 10 }, (_, index) =>
    semaphore.run(async () => {
      order.push(index);
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 1));
      running--;
    })));
  equal(most, 2);
  deepEqual(order, Array.from({ length: 10 }, (_, index) => index));
});

Deno.test("Semaphore frees the place of work that failed", async () => {
  const semaphore = new Semaphore(1);
  await rejects(semaphore.run(() => Promise.reject(new Error("Failed"))), /Failed/);
  equal(await semaphore.run(() => Promise.resolve("next")), "next");
});

Deno.test("acquire() leaves the queue when the signal aborts, and takes no place with it", async () => {
  const semaphore = new Semaphore(1);
  const held = await semaphore.acquire();
  const controller = new AbortController();
  const waiting = semaphore.acquire(controller.signal);
  const next = semaphore.acquire();
  controller.abort(new Error("Enough"));
  await rejects(waiting, /Enough/);
  held[Symbol.dispose]();
  held[Symbol.dispose]();
  (await next)[Symbol.dispose]();
  await rejects(semaphore.acquire(AbortSignal.abort(new Error("Before"))), /Before/);
  (await semaphore.acquire())[Symbol.dispose]();
});

Deno.test("a place that is given back twice is not two places", async () => {
  const semaphore = new Semaphore(1);
  const held = await semaphore.acquire();
  held[Symbol.dispose]();
  held[Symbol.dispose]();
  using _one = await semaphore.acquire();
  const controller = new AbortController();
  const two = semaphore.acquire(controller.signal);
  controller.abort(new Error("Still waiting"));
  await rejects(two, /Still waiting/);
});
