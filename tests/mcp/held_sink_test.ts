import assert from "node:assert/strict";
import { HeldSink } from "../../src/mcp/held_sink.ts";

function world() {
  const heard: string[] = [];
  const sink = new HeldSink({
    toolsChanged: () => heard.push("tools"),
    promptsChanged: () => heard.push("prompts"),
    resourcesChanged: () => heard.push("resources"),
    resourceUpdated: (uri) => heard.push(uri),
  });
  return { heard, sink };
}

Deno.test("HeldSink keeps what comes while no stream is open, and tells it once", () => {
  const { heard, sink } = world();
  sink.toolsChanged();
  sink.toolsChanged();
  sink.resourceUpdated("a");
  sink.resourceUpdated("b");
  sink.promptsChanged();
  assert.deepEqual(heard, []);
  sink.open();
  assert.deepEqual(heard, ["tools", "a", "b", "prompts"]);
});

Deno.test("HeldSink passes on at once while the stream is open, and keeps again when it is gone", () => {
  const { heard, sink } = world();
  sink.open();
  sink.resourcesChanged();
  sink.resourcesChanged();
  assert.deepEqual(heard, ["resources", "resources"]);
  sink.hold();
  sink.toolsChanged();
  assert.equal(heard.length, 2);
  sink.open();
  assert.deepEqual(heard, ["resources", "resources", "tools"]);
});
