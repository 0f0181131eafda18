import assert from "node:assert/strict";
import { loadedModules } from "../support/loaded_modules.ts";
import { startServer } from "../support/server.ts";

Deno.test("tools/list costs a client at most 6,000 bytes while no skill is active", async () => {
  await using server = await startServer();
  const { tools } = await server.client.listTools();
  assert.ok(tools.some(({ name }) => name === "call_tool"));
  const bytes = new TextEncoder().encode(JSON.stringify({ tools })).length;
  assert.ok(bytes <= 6000, `${bytes} bytes: ${tools.map(({ name }) => name).join(", ")}`);
});

Deno.test("what only calls need is not loaded before the first tools/list", async () => {
  const modules = await loadedModules("src/cli/open_service.ts");
  const own = modules.filter((name) => name.startsWith("src/"));
  assert.ok(own.includes("src/mcp/protocol.ts"), "the walk found nothing");
  const late =
    /^src\/(?:install|author\/(?!admit_tool)|memory|run\/(?:script\/create|wasm|code\/run_code)|sandbox\/(?:open_sandbox|egress\/open_place))/;
  assert.deepEqual(own.filter((name) => late.test(name)), [], "use loadLate, see src/cli/late_runners.ts");
  // 3 MB and 10 ms.
  assert.ok(
    !modules.includes("node:fs/promises"),
    "something reads files through node:fs/promises at the start",
  );
});
