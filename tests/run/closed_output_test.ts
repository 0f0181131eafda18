import assert from "node:assert/strict";
import { errorResult, resultText } from "../../src/base/tool_result.ts";
import { resolveLimits } from "../../src/sandbox/limits.ts";
import { needs } from "../support/needs.ts";
import { bench } from "./_fixture.ts";

const MODES = [
  { sandbox: "none", program: "bash" },
  { sandbox: "bubblewrap", program: "bwrap" },
  { sandbox: "firejail", program: "firejail" },
  { sandbox: "nsjail", program: "nsjail" },
] as const;

/** Far beyond what any test waits for: an answer before it is none of the time limit. */
const limits = resolveLimits({ timeout_ms: 600_000 });
const ANSWER = `echo '{"jsonrpc":"2.0","id":1,"result":"late"}'`;

/** Bash that lives on without an output, and what becomes of it. */
const SCRIPTS: readonly [what: string, code: string, expected: RegExp][] = [
  ["closes it", "exec >&-; sleep 600", /the script closed its stdout/],
  ["has it lead elsewhere", "exec >/dev/null; sleep 600 & wait", /the script closed its stdout/],
  ["says something before", "echo first; exec >&-; sleep 600", /closed its stdout[^]*stdout: first/],
  ["leaves it to a child that answers late", `(sleep 3; ${ANSWER}) & exec >&-; sleep 600`, /^late$/],
  ["keeps a copy of it", `exec 5>&1 >&-; sleep 3; ${ANSWER} >&5; sleep 600`, /^late$/],
];

for (const { sandbox, program } of MODES) {
  Deno.test({
    name:
      `B09 ${sandbox}: a script that lives on without its stdout has failed at once, unless somebody still has it`,
    ignore: needs("bash", program),
    async fn(t) {
      await using place = await bench({ sandbox });
      const results = await Promise.all(SCRIPTS.map(async ([, code], index) => {
        const script = { interpreter: "bash", code: `read -r line\n${code}`, manifest: { limits } };
        return await place.call(await place.tool(`t${index}`, script));
      }));
      for (const [index, [what, , expected]] of SCRIPTS.entries()) {
        await t.step(`fresh, ${what}`, () => {
          const result = results[index] ?? errorResult("no result");
          assert.match(resultText(result), expected);
          assert.equal(result.isError, expected.source === "^late$" ? undefined : true);
        });
      }
      await t.step("persistent: the next call has another process", async () => {
        const tool = await place.tool("p", {
          interpreter: "bash",
          code: `read -r line\n${ANSWER}\nread -r line\nexec >&-\nsleep 600`,
          manifest: { limits, lifecycle: "persistent" },
        });
        assert.equal(resultText(await place.call(tool)), "late");
        assert.match(resultText(await place.call(tool)), /the script closed its stdout without an answer/);
        assert.equal(resultText(await place.call(tool)), "late");
      });
    },
  });
}
