import assert from "node:assert/strict";
import { SkillzError } from "../../src/base/errors.ts";
import type { JsonObject } from "../../src/base/json.ts";
import { rootPaths, RootsCache } from "../../src/mcp/roots_cache.ts";

function asker(answer: () => Promise<JsonObject>) {
  const state = { asked: 0 };
  const ask = () => {
    state.asked++;
    return answer();
  };
  return { state, ask };
}

const roots = (...uris: string[]) => ({ roots: uris.map((uri) => ({ uri })) });

Deno.test("RootsCache asks once, however many want to know, and again when told to", async () => {
  const cache = new RootsCache();
  const { state, ask } = asker(() => Promise.resolve(roots("file:///a")));
  assert.deepEqual(await Promise.all([cache.get(ask), cache.get(ask)]), [["/a"], ["/a"]]);
  assert.equal(state.asked, 1);
  cache.forget();
  await cache.get(ask);
  assert.equal(state.asked, 2);
});

Deno.test("RootsCache remembers an answer that was asked for elsewhere", async () => {
  const cache = new RootsCache();
  const { state, ask } = asker(() => Promise.resolve(roots("file:///a")));
  cache.remember(roots("file:///b"));
  assert.deepEqual(await cache.get(ask), ["/b"]);
  assert.equal(state.asked, 0);
});

Deno.test("RootsCache does not ask a client again at once that did not answer, but after a while", async () => {
  const clock = { ms: 0 };
  const cache = new RootsCache(() => clock.ms);
  const { state, ask } = asker(() => Promise.reject(new SkillzError("timeout", "Cannot: late")));
  assert.deepEqual([await cache.get(ask), await cache.get(ask)], [undefined, undefined]);
  assert.equal(state.asked, 1);
  clock.ms += 60_001;
  const { ask: again } = asker(() => Promise.resolve(roots("file:///a")));
  assert.deepEqual(await cache.get(again), ["/a"]);
  clock.ms += 1_000_000;
  assert.deepEqual(await cache.get(ask), ["/a"]);
});

Deno.test("RootsCache asks again when the call that asked was cancelled", async () => {
  for (
    const reason of [new SkillzError("cancelled", "Cannot: cancelled"), new DOMException("x", "AbortError")]
  ) {
    const cache = new RootsCache();
    const cancelled = asker(() => Promise.reject(reason));
    assert.equal(await cache.get(cancelled.ask), undefined);
    const { ask } = asker(() => Promise.resolve(roots("file:///a")));
    assert.deepEqual(await cache.get(ask), ["/a"]);
  }
});

Deno.test("rootPaths() takes local folders only, and reads their names", () => {
  const odd = roots(
    "file:///a%20b",
    "https://example.com/x",
    "file://other-host/x",
    "nonsense",
    "file:///%E0%A4%A",
  );
  assert.deepEqual(rootPaths({ roots: [...odd.roots, null, 5, {}, { uri: 5 }] }), ["/a b"]);
  assert.deepEqual(rootPaths(roots("vscode-remote://ssh/x")), []);
  for (const answer of [{}, { roots: null }, { roots: "x" }, { roots: [] }]) {
    assert.equal(rootPaths(answer), undefined);
  }
});
