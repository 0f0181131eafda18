import assert from "node:assert/strict";
import { openHttp } from "../fixtures/mcp/open_http.ts";
import { runScenario } from "./_suite.ts";

for (const name of ["enumeration", "directory", "manifest"]) {
  Deno.test(`the official conformance suite passes for the skills extension: ${name}`, async () => {
    await using http = await openHttp();
    const { passed, detail } = await runScenario(`${http.url}/mcp`, `sep-2640-skills-${name}`);
    assert.ok(passed, detail);
    assert.doesNotMatch(detail, /SKIPPED.*skills\/list returned no entries/);
  });
}
