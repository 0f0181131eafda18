import assert from "node:assert/strict";
import { needs } from "../support/needs.ts";
import { startHttpServer } from "../support/http_server.ts";
import { readSource } from "../support/repository.ts";
import { snippetsOf } from "../support/snippets.ts";

const lines = snippetsOf(await readSource("README.md"))
  .flatMap((snippet) => snippet.code.split("\n")).filter((line) => line.startsWith("curl "));

Deno.test("README's curl lines work as printed", { ignore: needs("curl", "bash") }, async () => {
  await using server = await startHttpServer();
  const answers: string[] = [];
  for (const line of lines) {
    // The port of the README may be taken here, and a stream has no end.
    const command = line.replaceAll("http://127.0.0.1:8080", server.url).replace(
      "curl -N",
      "curl -N --max-time 2",
    );
    const { stdout } = await new Deno.Command("bash", { args: ["-c", command], stderr: "null" }).output();
    answers.push(new TextDecoder().decode(stdout));
  }
  const [health = "", list = "", stream = ""] = answers;
  assert.equal(answers.length, 3);
  assert.equal(JSON.parse(health).status, "ready");
  assert.deepEqual([JSON.parse(list).id, JSON.parse(list).result.tools[0].name], [1, "call_tool"]);
  assert.match(stream, /^event: endpoint\ndata: \/message\?sessionId=/);
});
