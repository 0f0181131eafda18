import { deepEqual, equal } from "node:assert/strict";
import { errorResult, okResult } from "../../src/base/tool_result.ts";
import { failureData, fitFailure } from "../../src/mcp/fit_failure.ts";

const breaks = () => Promise.resolve(["must have k"]);
const fits = () => Promise.resolve([]);

Deno.test("fitFailure() moves data of a failure that breaks the schema to _meta, and failureData() finds it", async () => {
  const failed = { ...errorResult("lost", { error: { code: 7 } }), _meta: { "skillz/isolation": {} } };
  const fitted = await fitFailure(failed, breaks);
  deepEqual(fitted, {
    content: [{ type: "text", text: "lost" }],
    isError: true,
    _meta: { "skillz/isolation": {}, "skillz/failure": { error: { code: 7 } } },
  });
  deepEqual(failureData(fitted), { error: { code: 7 } });
});

Deno.test("fitFailure() leaves alone what fits, what has no data, and what is no failure", async () => {
  const failed = errorResult("lost", { k: 1 });
  equal(await fitFailure(failed, fits), failed);
  deepEqual(failureData(failed), { k: 1 });
  const bare = errorResult("lost");
  equal(await fitFailure(bare, breaks), bare);
  equal(failureData(bare), undefined);
  const fine = okResult("fine", { x: 1 });
  equal(await fitFailure(fine, breaks), fine);
});
