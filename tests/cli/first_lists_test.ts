import assert from "node:assert/strict";
import { startServer } from "../support/server.ts";
import { tempDir } from "../support/temp_dir.ts";

Deno.test("knowledge skills are in the first lists after the start, and can be read at once", async () => {
  await using dir = await tempDir();
  const toolsDir = `${dir.path}/tools`;
  await Deno.mkdir(`${toolsDir}/tea-making`, { recursive: true });
  const skill = "---\nname: tea-making\ndescription: How to make tea\n---\nBoil water first.\n";
  await Deno.writeTextFile(`${toolsDir}/tea-making/SKILL.md`, skill);
  for (const first of ["list", "get", "resources", "read"] as const) {
    await using server = await startServer({ toolsDir });
    const { client } = server;
    const seen = {
      list: async () => (await client.listPrompts()).prompts.map(({ name }) => name),
      get: () => client.getPrompt({ name: "tea-making" }),
      resources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
      read: () => client.readResource({ uri: "skillz://skills/tea-making" }),
    };
    assert.match(JSON.stringify(await seen[first]()), /tea-making|Boil water/, first);
  }
});
