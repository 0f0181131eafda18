import assert from "node:assert/strict";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { gitRepo } from "../support/git_repo.ts";
import { startHttpServer } from "../support/http_server.ts";
import { needs } from "../support/needs.ts";
import { runScenario } from "./_suite.ts";

const PDF = {
  "pdf-processing/SKILL.md":
    "---\nname: pdf-processing\ndescription: Reads, fills and joins PDF files\nlicense: MIT\n---\n\n# PDF\n\nSee references/FORMS.md.\n",
  "pdf-processing/references/FORMS.md": "# Forms\n",
  "pdf-processing/scripts/fill.py": "print('filled')\n",
};

for (const name of ["enumeration", "directory", "manifest"]) {
  Deno.test({
    name: `the official conformance suite passes for the skills extension: ${name}`,
    ignore: needs("git"),
    async fn() {
      await using repo = await gitRepo(PDF);
      await using server = await startHttpServer();
      await addRepo(server.url, repo.url);
      const { passed, detail } = await runScenario(`${server.url}/mcp`, `sep-2640-skills-${name}`);
      assert.ok(passed, detail);
      assert.doesNotMatch(detail, /SKIPPED.*skills\/list returned no entries/);
    },
  });
}

async function addRepo(server: string, url: string): Promise<void> {
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server}/mcp`)));
  try {
    const result = await client.callTool({ name: "add_skill_repo", arguments: { url } });
    assert.ok(!result.isError, JSON.stringify(result));
  } finally {
    await client.close();
  }
}
