import assert from "node:assert/strict";
import { resultText } from "../../src/base/tool_result.ts";
import { needs } from "../support/needs.ts";
import { startServer } from "../support/server.ts";

const LANGUAGES = [
  ["python3", "def main(:\n    pass\n", "print('good')\n"],
  ["python", "x = 1\nprint(x\n", "print('good')\n"],
  ["node", "const x = ;\n", "console.log('good');\n"],
  ["typescript", "const x = ;\n", "console.log('good');\n"],
  ["bash", "if true; then\n", "echo good\n"],
  ["ruby", "def f(\n", "puts 'good'\n"],
  ["php", "<?php $x = ;\n", "<?php echo 'good';\n"],
] as const;

Deno.test("a script that its language can't read is refused when it is saved, with the place, and the earlier stays", async (t) => {
  await using server = await startServer();
  for (const [interpreter, bad, good] of LANGUAGES) {
    const program = { typescript: "deno", python: "python3" }[interpreter as string] ?? interpreter;
    await t.step({
      name: interpreter,
      ignore: program !== "deno" && needs(program),
      async fn() {
        const tool = { name: `t_${interpreter}`, description: "d", interpreter, overwrite: true };
        await server.text("register_script", { ...tool, code: good });
        const refused = await server.call("register_script", { ...tool, code: bad });
        assert.equal(refused.isError, true);
        assert.match(resultText(refused), /(?:line |:)[12]\b/);
        assert.equal(await server.text("call_tool", { tool_name: tool.name }), "good");
      },
    });
  }
});
