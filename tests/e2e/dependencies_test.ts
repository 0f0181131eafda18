import assert from "node:assert/strict";
import { readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { resultText } from "../../src/base/tool_result.ts";
import { needs } from "../support/needs.ts";
import { startServer } from "../support/server.ts";
import { tempDir } from "../support/temp_dir.ts";

const python = (name: string, dependencies: string[], code: string) => ({
  name,
  description: "d",
  interpreter: "python3",
  dependencies,
  code: `from skillz import tool\n${code}`,
});

Deno.test("B43 B44 Python packages work side by side, in a folder with a blank, and after it was moved", {
  ignore: needs("python3"),
}, async () => {
  await using dir = await tempDir();
  const first = join(dir.path, "the tools");
  {
    await using server = await startServer({
      toolsDir: first,
      env: { PIP_USER: "1", PIP_TARGET: "/nowhere", PYTHONPATH: "/nowhere" },
    });
    const code = "import six\n\n@tool\ndef main():\n    return six.__version__\n";
    await server.text("register_script", python("old_six", ["six==1.15.0"], code));
    await server.text("register_script", python("new_six", ["six==1.16.0"], code));
    assert.equal(await server.text("call_tool", { tool_name: "old_six" }), "1.15.0");
    assert.equal(await server.text("call_tool", { tool_name: "new_six" }), "1.16.0");
  }
  const second = join(dir.path, "moved to here");
  await rename(first, second);
  await using server = await startServer({ toolsDir: second });
  assert.equal(await server.text("call_tool", { tool_name: "old_six" }), "1.15.0");
  assert.equal(await server.text("call_tool", { tool_name: "new_six" }), "1.16.0");
});

Deno.test("a scoped npm package works for Node, and an npm package for Deno", {
  ignore: needs("node", "npm"),
}, async () => {
  await using server = await startServer();
  await server.text("register_script", {
    name: "in_node",
    description: "d",
    interpreter: "node",
    dependencies: ["@sindresorhus/is@7"],
    code:
      'import is from "@sindresorhus/is";\nimport { tool } from "skillz";\ntool(({ value }) => is(value));\n',
  });
  assert.equal(await server.text("call_tool", { tool_name: "in_node", arguments: { value: [1] } }), "Array");
  await server.text("register_script", {
    name: "in_deno",
    description: "d",
    interpreter: "deno run",
    dependencies: ["npm:is-number@7.0.0"],
    code:
      'import isNumber from "npm:is-number@7.0.0";\nimport { tool } from "skillz";\ntool(({ value }) => ({ is: isNumber(value) }));\n',
  });
  assert.deepEqual(
    (await server.call("call_tool", { tool_name: "in_deno", arguments: { value: "5" } })).structuredContent,
    { is: true },
  );
});

const FORMS = [
  ['import { z } from "zod";', ["npm:zod@4"]],
  ['import { z } from "npm:zod";', ["zod@4"]],
  ['import { z } from "npm:zod@4";', ["zod@4"]],
  ['import * as z from "zod/mini";', ["npm:zod@4"]],
] as const;

Deno.test("a Deno tool imports its packages by any of their names", async () => {
  await using server = await startServer();
  for (const [index, [line, dependencies]] of FORMS.entries()) {
    const code = `${line}\nimport { tool } from "skillz";\ntool(({ n }) => z.number().parse(n) + 1);\n`;
    const tool = { name: `t${index}`, description: "d", interpreter: "deno run", dependencies, code };
    const said = await server.call("register_script", tool);
    assert.notEqual(said.isError, true, resultText(said));
    assert.equal(await server.text("call_tool", { tool_name: `t${index}`, arguments: { n: 4 } }), "5", line);
  }
});

Deno.test("a Deno tool whose code can't be loaded is refused when it is made, with the next step", async () => {
  await using server = await startServer();
  for (
    const [code, dependencies, told] of [
      ['import "npm:zod@4";', [], /npm:zod@4, which is not declared\. Add "npm:zod@4" to dependencies/],
      ['import "zod";', [], /zod, which is not declared\. Add "npm:zod" to dependencies/],
      ['import "npm:zod@3";', ["npm:zod@4"], /dependencies name as "npm:zod@4"\. Import "zod"/],
      ['import "./lib.ts";', [], /lib\.ts/],
      ["const x = 1;\nconst y = ;", [], /SyntaxError: .* at bad\.ts:2:/],
      ["tool(() => 1);\nimport 'https://example.com/x.ts';", [], /permissions\.import/],
    ] as const
  ) {
    const tool = { name: "bad", description: "d", interpreter: "deno run", dependencies, code };
    const said = await server.call("register_script", tool);
    assert.equal(said.isError, true, code);
    assert.match(resultText(said), told);
  }
  assert.match(
    await server.text("list_tools", { type: "script" }),
    /No tools match\. list_tools \{\} shows every/,
  );
});

const BAD = [
  "no-such-package-zzz-123",
  "six==999",
  "--index-url=http://127.0.0.1:9/",
  "-r /etc/passwd",
  "git+https://example.com/x",
  "../six",
];

Deno.test("B45 a dependency that can't be installed leaves nothing, and the earlier version in force", {
  ignore: needs("python3"),
}, async (t) => {
  await using server = await startServer();
  const code = "@tool\ndef main():\n    return 'first'\n";
  await server.text("register_script", python("kept", [], code));
  for (const dependency of BAD) {
    await t.step(dependency, async () => {
      const refused = await server.call("register_script", python("fresh", [dependency], code));
      assert.equal(refused.isError, true);
      const word = dependency.split(/[ =]/)[0] ?? dependency;
      assert.ok(resultText(refused).includes(word), resultText(refused));
      const update = { ...python("kept", [dependency], code.replace("first", "second")), overwrite: true };
      assert.equal((await server.call("register_script", update)).isError, true);
    });
  }
  assert.equal(await server.text("call_tool", { tool_name: "kept" }), "first");
  const paths = await readdir(server.toolsDir, { recursive: true });
  assert.deepEqual(paths.filter((path) => /^[^.][^/]*\/manifest\.json$/.test(path)), ["kept/manifest.json"]);
  await server.text("register_script", python("fresh", [], code));
});
