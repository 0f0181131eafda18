import assert from "node:assert/strict";
import { RateLimiter } from "../../../src/transport/http/rate_limiter.ts";

function limiter(perSecond = 2, burst = 3) {
  const clock = { ms: 0 };
  return { clock, limit: new RateLimiter({ perSecond, burst, now: () => clock.ms }) };
}

Deno.test("RateLimiter allows a burst, then as many as come in over time", () => {
  const { clock, limit } = limiter();
  assert.deepEqual([1, 2, 3].map(() => limit.take("a")), [0, 0, 0]);
  assert.equal(limit.take("a"), 1);
  clock.ms += 500;
  assert.equal(limit.take("a"), 0);
  assert.equal(limit.take("a"), 1);
  clock.ms += 60_000;
  assert.deepEqual([1, 2, 3, 4].map(() => limit.take("a")), [0, 0, 0, 1]);
});

Deno.test("RateLimiter counts each key by itself", () => {
  const { limit } = limiter();
  for (let n = 0; n < 5; n++) limit.take("a");
  assert.equal(limit.take("b"), 0);
});

Deno.test("RateLimiter says how long to wait", () => {
  const { limit } = limiter(0.1, 1);
  limit.take("a");
  assert.equal(limit.take("a"), 10);
});

Deno.test("RateLimiter remembers no more keys than it should", () => {
  const { limit } = limiter(1, 1);
  for (let n = 0; n < 10_001; n++) limit.take(`key ${n}`);
  assert.equal(limit.take("key 0"), 0);
  assert.notEqual(limit.take("key 10000"), 0);
});
