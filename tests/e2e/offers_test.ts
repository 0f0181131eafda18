import assert from "node:assert/strict";
import { join } from "node:path";
import { resultText } from "../../src/base/tool_result.ts";
import { needs } from "../support/needs.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { tempDir } from "../support/temp_dir.ts";

// Resources and prompts of made tools: one odd tool takes nothing away from the others or from the server.

const ANSWERS = {
  prompt: { messages: [{ role: "evil", content: { type: "weird" } }] },
  resource: { contents: [{ uri: 5 }] },
};
const ODD = `import json, sys
call = json.loads(sys.stdin.readline())["params"]["context"]["call"]
print(json.dumps({"jsonrpc": "2.0", "id": 1, "result": json.loads('''${
  JSON.stringify(ANSWERS)
}''')[call["kind"]]}))
`;

function offer(name: string, more: Record<string, unknown>) {
  return {
    name,
    description: "d",
    interpreter: "bash",
    code: `read -r l; echo '{"jsonrpc":"2.0","id":1,"result":"from ${name}"}'`,
    ...more,
  };
}

async function read(server: TestServer, uri: string): Promise<string> {
  const { contents } = await server.client.readResource({ uri });
  const [first] = contents;
  return first && "text" in first ? first.text : "";
}

Deno.test({
  name: "addresses and prompts that tools offer never hide those of the server or of other tools",
  ignore: needs("bash"),
  async fn(t) {
    await using dir = await tempDir();
    // A folder made by hand, with a template that no one can read.
    await Deno.mkdir(join(dir.path, "by_hand"));
    await Deno.writeTextFile(
      join(dir.path, "by_hand", "manifest.json"),
      JSON.stringify({
        ...offer("by_hand", {}),
        tool_type: "script",
        entry_file: "a.sh",
        resource_templates: [{ uri_template: "x://{", name: "n" }],
      }),
    );
    await Deno.writeTextFile(join(dir.path, "by_hand", "a.sh"), "");
    await using server = await startServer({ toolsDir: dir.path });

    const refused: [string, Record<string, unknown>, RegExp][] = [
      [
        "an address of the server",
        { resources: [{ uri: "skillz://guide", name: "n" }] },
        /begins with an address/,
      ],
      [
        "a template of the server",
        { resource_templates: [{ uri_template: "skill://{x}", name: "n" }] },
        /address/,
      ],
      ["a template that is none", { resource_templates: [{ uri_template: "x://{", name: "n" }] }, /RFC 6570/],
      [
        "a template of everything",
        { resource_templates: [{ uri_template: "{+all}", name: "n" }] },
        /RFC 6570/,
      ],
    ];
    for (const [what, fields, pattern] of refused) {
      await t.step(`${what} is refused`, async () => {
        const result = await server.call("register_script", offer("greedy", fields));
        assert.equal(result.isError, true);
        assert.match(resultText(result), pattern);
      });
    }
    await t.step("of equal addresses and prompts the first tool's counts, and is listed once", async () => {
      const same = {
        resources: [{ uri: "y://a", name: "a" }],
        resource_templates: [{ uri_template: "y://item/{id}", name: "item" }],
        prompts: [{ name: "same" }, { name: "create_python_tool" }],
      };
      await server.text("register_script", offer("one", same));
      const said = await server.text("register_script", offer("two", same));
      assert.match(said, /prompt "same" is not reached, that of the tool "one" is/);
      assert.match(said, /resource "y:\/\/a" is not reached.*template "y:\/\/item\/\{id\}" is not reached/);
      assert.match(await server.text("list_tools", { query: "two" }), /prompt "same" is not reached/);
      assert.doesNotMatch(await server.text("list_tools", { query: "one" }), /not reached/);
      const { resources } = await server.client.listResources();
      assert.equal(resources.filter(({ uri }) => uri === "y://a").length, 1);
      const { resourceTemplates } = await server.client.listResourceTemplates();
      assert.equal(resourceTemplates.filter(({ uriTemplate }) => uriTemplate === "y://item/{id}").length, 1);
      const { prompts } = await server.client.listPrompts();
      assert.equal(new Set(prompts.map(({ name }) => name)).size, prompts.length);
      assert.equal(await read(server, "y://a"), "from one");
      assert.equal(await read(server, "y://item/7"), "from one");
      assert.match(await read(server, "skillz://guide"), /^# /);
    });
    await t.step("the folder made by hand is named, and reading goes on", async () => {
      assert.match(await server.text("list_tools"), /by_hand: .*uri_template/);
      await assert.rejects(read(server, "no://where"), /there is no such resource/);
    });
  },
});

Deno.test({
  name: "odd answers of scripts to prompts and resources are failures that say so",
  ignore: needs("python3"),
  async fn() {
    await using server = await startServer();
    await server.text("register_script", {
      name: "odd",
      description: "d",
      interpreter: "python3",
      code: ODD,
      prompts: [{ name: "odd_prompt" }],
      resources: [{ uri: "z://odd", name: "odd" }],
    });
    await assert.rejects(
      server.client.getPrompt({ name: "odd_prompt" }),
      /odd answered odd messages, .*role/,
    );
    await assert.rejects(read(server, "z://odd"), /odd answered odd contents, .*text or base64/);
  },
});
