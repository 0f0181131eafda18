import assert from "node:assert/strict";
import { Bus } from "../../src/base/bus.ts";
import { Notifier } from "../../src/mcp/notifier.ts";
import { SessionStore } from "../../src/mcp/session_store.ts";
import type { Era, Session } from "../../src/mcp/session.ts";
import { waitFor } from "../support/wait_for.ts";

function world() {
  const bus = new Bus();
  const sessions = new SessionStore();
  const lists = { prompts: ["p"], resources: ["r"] };
  const notifier = new Notifier({
    bus,
    sessions,
    prompts: { list: () => lists.prompts.map((name) => ({ name, description: name })) },
    resources: {
      list: () => lists.resources.map((name) => ({ name, uri: `x://${name}` })),
      templates: () => [],
      affected: (event) => event.kind === "memory" ? [`m://${event.namespace}`] : [],
    },
    settleMs: 1,
  });
  const heard = new Map<Session, string[]>();
  const open = (era: Era = "legacy", ready = true) => {
    const session = sessions.open({ era, principal: "local" });
    const log: string[] = [];
    heard.set(session, log);
    if (ready) {
      notifier.prime();
      session.sink = {
        toolsChanged: () => log.push("tools"),
        promptsChanged: () => log.push("prompts"),
        resourcesChanged: () => log.push("resources"),
        resourceUpdated: (uri) => log.push(uri),
      };
    }
    return { session, log };
  };
  return { bus, sessions, lists, notifier, open };
}

/** Resolves when everything published before has been told. */
async function told({ bus, open }: ReturnType<typeof world>): Promise<void> {
  const { session, log } = open("modern");
  bus.publish({ kind: "memory", change: "updated", namespace: "marker" });
  await waitFor(() => log.includes("m://marker"));
  delete session.sink;
}

Deno.test("B20 Notifier tells each session once of a change made of several events", async () => {
  const w = world();
  const a = w.open();
  const b = w.open();
  w.bus.publish({ kind: "tool", change: "added", name: "x" });
  w.bus.publish({ kind: "tool", change: "updated", name: "x" });
  w.bus.publish({ kind: "skills", change: "added", name: "x" });
  await told(w);
  assert.deepEqual([a.log, b.log], [["tools"], ["tools"]]);
  w.notifier[Symbol.dispose]();
});

Deno.test("B20 Notifier tells only the session whose skills changed", async () => {
  const w = world();
  const a = w.open();
  const b = w.open();
  w.sessions.change(a.session.id, { add: ["dev"] });
  w.sessions.change(a.session.id, { add: ["dev"] });
  await told(w);
  assert.deepEqual([a.log, b.log], [["tools"], []]);
  w.notifier[Symbol.dispose]();
});

Deno.test("B20 Notifier tells nothing to a client that is not ready, and not to one that is gone", async () => {
  const w = world();
  const early = w.open("legacy", false);
  const gone = w.open();
  w.sessions.close(gone.session.id);
  const alive = w.open();
  w.bus.publish({ kind: "tool", change: "removed", name: "x" });
  await told(w);
  assert.deepEqual([early.log, gone.log, alive.log], [[], [], ["tools"]]);
  w.notifier[Symbol.dispose]();
});

Deno.test("Notifier tells of prompts and resources when their lists really changed", async () => {
  const w = world();
  const { log } = w.open();
  w.bus.publish({ kind: "skills", change: "updated", name: "x" });
  await told(w);
  assert.deepEqual(log, []);
  w.lists.prompts.push("q");
  w.bus.publish({ kind: "skills", change: "added", name: "q" });
  await told(w);
  w.lists.resources.pop();
  w.bus.publish({ kind: "skills", change: "removed", name: "r" });
  await told(w);
  assert.deepEqual(log, ["prompts", "resources"]);
  w.notifier[Symbol.dispose]();
});

Deno.test("Notifier tells of changed resources those who subscribed", async () => {
  const w = world();
  const a = w.open();
  const b = w.open();
  a.session.subscriptions.add("m://x");
  w.bus.publish({ kind: "memory", change: "updated", namespace: "x" });
  w.bus.publish({ kind: "memory", change: "updated", namespace: "x" });
  w.bus.publish({ kind: "memory", change: "updated", namespace: "y" });
  await told(w);
  assert.deepEqual([a.log, b.log], [["m://x"], []]);
  w.notifier[Symbol.dispose]();
});

Deno.test("Notifier is silent once disposed", async () => {
  const w = world();
  const { log } = w.open();
  w.bus.publish({ kind: "tool", change: "added", name: "x" });
  w.notifier[Symbol.dispose]();
  w.bus.publish({ kind: "tool", change: "added", name: "y" });
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.deepEqual(log, []);
});
