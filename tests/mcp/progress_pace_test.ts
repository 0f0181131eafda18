import assert from "node:assert/strict";
import { ProgressPace } from "../../src/mcp/progress_pace.ts";
import { waitFor } from "../support/wait_for.ts";

Deno.test("ProgressPace sends some hundred updates at once, then the newest now and then, and the last one always", async () => {
  const sent: number[] = [];
  const pace = new ProgressPace(({ progress }) => void sent.push(progress));
  for (let progress = 0; progress < 100; progress++) pace.take({ progress });
  assert.equal(sent.length, 100);
  for (let progress = 100; progress < 50_000; progress++) pace.take({ progress });
  assert.ok(sent.length < 10_000, `${sent.length} updates were sent`);
  await waitFor(() => sent.at(-1) === 49_999);
  for (let progress = 50_000; progress < 100_000; progress++) pace.take({ progress });
  pace.flush();
  assert.equal(sent.at(-1), 99_999);
  assert.deepEqual(sent, [...sent].sort((a, b) => a - b));
  const before = sent.length;
  pace.flush();
  assert.equal(sent.length, before);
});
