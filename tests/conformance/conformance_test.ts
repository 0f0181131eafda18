import assert from "node:assert/strict";
import { startHttpServer } from "../support/http_server.ts";
import { needs } from "../support/needs.ts";
import { seed } from "./_seed.ts";
import { runRequirements } from "./_suite.ts";

/** How many scenarios a version requires. */
const REQUIRED = { "2025-11-25": 33, "2026-07-28": 50 } as const;

// The client library leaves its streams to be closed by the server.
const OPTIONS = { ignore: needs("python3"), sanitizeOps: false, sanitizeResources: false };

for (const [version, count] of Object.entries(REQUIRED)) {
  Deno.test(
    `the official conformance suite passes for ${version} with fixtures made at run time`,
    OPTIONS,
    async () => {
      await using server = await startHttpServer();
      await seed(server.url);
      const outcomes = await runRequirements(`${server.url}/mcp`, version);
      const failed = [...outcomes].filter(([, { passed }]) => !passed);
      assert.deepEqual(failed, []);
      assert.equal(outcomes.size, count);
    },
  );
}
