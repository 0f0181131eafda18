import { openHttp } from "../../fixtures/mcp/open_http.ts";
import { needs } from "../../support/needs.ts";
import { checkPython } from "./_python.ts";

Deno.test(
  "Python's current package works over /mcp, 2025-11-25",
  { ignore: needs("mcp-python") },
  async () => {
    await using http = await openHttp();
    await checkPython("current", "legacy", ["http", `${http.url}/mcp`]);
  },
);

Deno.test(
  "Python's current package works over /mcp, 2026-07-28",
  { ignore: needs("mcp-python") },
  async () => {
    await using http = await openHttp();
    await checkPython("current", "modern", ["http", `${http.url}/mcp`]);
  },
);

Deno.test("Python's current package works over /sse", { ignore: needs("mcp-python") }, async () => {
  await using http = await openHttp();
  await checkPython("current", "legacy", ["sse", `${http.url}/sse`]);
});

Deno.test("Python's old package works over /mcp", { ignore: needs("mcp-python-old") }, async () => {
  await using http = await openHttp();
  await checkPython("old", "legacy", ["http", `${http.url}/mcp`]);
});

Deno.test("Python's old package works over /sse", { ignore: needs("mcp-python-old") }, async () => {
  await using http = await openHttp();
  await checkPython("old", "legacy", ["sse", `${http.url}/sse`]);
});
