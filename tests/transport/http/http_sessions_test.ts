import assert from "node:assert/strict";
import { HttpSessions } from "../../../src/transport/http/http_sessions.ts";

function world(max = 2, idleMs = 100_000) {
  const clock = { ms: 0 };
  const closed: string[] = [];
  const sessions = new HttpSessions({ max, idleMs, now: () => clock.ms });
  const add = (id: string, principal = "p") =>
    sessions.add({
      id,
      principal,
      close: () => {
        closed.push(id);
        return Promise.resolve();
      },
    });
  return { clock, closed, sessions, add };
}

Deno.test("B19 HttpSessions ends sessions that nobody used for long", async () => {
  const { clock, closed, sessions, add } = world();
  add("old");
  clock.ms += 60_000;
  add("used");
  clock.ms += 60_000;
  sessions.use("used", "p");
  sessions.sweep();
  assert.deepEqual(closed, ["old"]);
  assert.equal(sessions.size, 1);
  await sessions[Symbol.asyncDispose]();
  assert.deepEqual(closed, ["old", "used"]);
});

Deno.test("B19 HttpSessions keeps a session whose stream is open", async () => {
  const { clock, closed, sessions, add } = world();
  add("a");
  const end = sessions.streamOpened("a");
  clock.ms += 1_000_000;
  sessions.sweep();
  assert.deepEqual(closed, []);
  end();
  sessions.sweep();
  assert.deepEqual(closed, []);
  clock.ms += 100_001;
  sessions.sweep();
  assert.deepEqual(closed, ["a"]);
  await sessions[Symbol.asyncDispose]();
});

Deno.test("HttpSessions gives up the longest idle one for a new one, but none that is in use", async () => {
  const { clock, closed, sessions, add } = world();
  add("a");
  clock.ms += 1;
  add("b");
  assert.equal(sessions.makeRoom(), false);
  clock.ms += 61_000;
  assert.equal(sessions.makeRoom(), true);
  assert.deepEqual(closed, ["a"]);
  add("c");
  sessions.streamOpened("b");
  clock.ms += 61_000;
  assert.equal(sessions.makeRoom(), true);
  assert.deepEqual(closed, ["a", "c"]);
  await sessions[Symbol.asyncDispose]();
});

Deno.test("HttpSessions gives a session to its own principal only", async () => {
  const { sessions, add } = world();
  add("a", "ann");
  assert.equal(sessions.use("a", "ann")?.id, "a");
  assert.equal(sessions.use("a", "bob"), undefined);
  assert.equal(sessions.use("none", "ann"), undefined);
  await sessions[Symbol.asyncDispose]();
});
