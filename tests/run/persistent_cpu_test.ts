import assert from "node:assert/strict";
import { needs } from "../support/needs.ts";
import { startServer } from "../support/server.ts";

Deno.test("a persistent tool is not ended for the CPU time of all its calls together", {
  ignore: needs("python3"),
}, async () => {
  await using server = await startServer();
  const code = `import os, time
from skillz import tool

@tool
def main():
    end = time.process_time() + 0.8
    while time.process_time() < end:
        pass
    return {"pid": os.getpid()}
`;
  const limits = { cpu_ms: 1000 };
  const made = {
    name: "busy",
    description: "d",
    interpreter: "python3",
    code,
    limits,
    lifecycle: "persistent",
  };
  await server.text("register_script", made);
  const pids = new Set<unknown>();
  for (let call = 0; call < 4; call++) {
    const result = await server.call("busy");
    assert.notEqual(result.isError, true, JSON.stringify(result));
    pids.add(result.structuredContent?.pid);
    const isolation = result._meta?.["skillz/isolation"] as { limits: string[] };
    assert.ok(!isolation.limits.includes("cpu_ms"), "a limit is claimed that is not in force");
  }
  assert.equal(pids.size, 1);
});
