import assert from "node:assert/strict";
import { resultText } from "../../src/base/tool_result.ts";
import { leastLimits } from "../../src/tools/unkept_fields.ts";
import { needs } from "../support/needs.ts";
import { testApp } from "../support/test_app.ts";

const ANSWER = `read -r line; echo '{"jsonrpc":"2.0","id":1,"result":"fine"}'`;
const MODULE = 'import { tool } from "skillz";\ntool(() => "fine");\n';

/** Programs with what they need on this machine, and a script that answers. */
const SCRIPTS = [
  { interpreter: "bash", code: ANSWER },
  { interpreter: "deno run", code: MODULE },
  { interpreter: "node", code: MODULE, extension: "mjs" },
  { interpreter: "perl", code: '<STDIN>; print "fine";' },
  { interpreter: "php", code: '<?php fgets(STDIN); echo "fine";' },
  { interpreter: "python3", code: 'from skillz import tool\n@tool\ndef main():\n    return "fine"\n' },
  { interpreter: "ruby", code: 'require "skillz"\nSkillz.tool { |_| "fine" }\n' },
] as const;

const MODES = [
  { mode: "bubblewrap", program: "bwrap" },
  { mode: "firejail", program: "firejail" },
  { mode: "nsjail", program: "nsjail" },
  { mode: "none", program: "bash" },
] as const;

for (const { mode, program } of MODES) {
  Deno.test({
    name: `the least limits that are taken are enough to start each language, SKILLZ_SANDBOX=${mode}`,
    ignore: needs(program),
    async fn(t) {
      await using app = await testApp({ env: { SKILLZ_SANDBOX: mode } });
      for (const script of SCRIPTS) {
        const [name] = script.interpreter.split(" ") as [string];
        await t.step({
          name,
          ignore: name !== "deno" && needs(name),
          async fn() {
            const { least } = leastLimits({ tool_type: "script", interpreter: script.interpreter });
            const register = (limits: typeof least) =>
              app.call("register_script", { name, description: "d", ...script, limits: { ...limits } });
            for (const [limit, value] of Object.entries(least)) {
              const refused = await register({ [limit]: value - 1 });
              assert.match(
                resultText(refused),
                new RegExp(`limits\\.${limit}: is ${value - 1}, must be >=${value}, which ${name} needs`),
              );
            }
            const made = await register(least);
            assert.ok(!made.isError, resultText(made));
            const answer = await app.call("call_tool", { tool_name: name });
            assert.equal(resultText(answer), "fine");
            assert.ok(!answer.isError);
          },
        });
      }
    },
  });
}
