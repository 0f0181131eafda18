import { deepEqual, equal, match } from "node:assert/strict";
import type { JsonObject } from "../../src/base/json.ts";
import { resultText } from "../../src/base/tool_result.ts";
import { needs } from "../support/needs.ts";
import { fakeCaller, fakeContext } from "../support/fake_caller.ts";
import { testApp } from "../support/test_app.ts";

/** A context of a user who answers each question in this way. */
function userSays(answer: JsonObject) {
  const caller = fakeCaller({ answer: () => answer });
  return { caller, context: () => fakeContext({ caller }) };
}

/** A tool without any permission that calls a built-in one. */
const CALLER = `
from skillz import tool, call

@tool
def main(name: str, arguments: dict) -> dict:
    return {"answer": str(call(name, arguments))}
`;

const WIDE = {
  name: "wide",
  description: "Prints",
  code: "print('ran')",
  interpreter: "python3",
  permissions: { net: true },
};
const PROGRAM = { code: "return 1", language: "python", permissions: { net: true } };

Deno.test({
  name: "a made tool makes no tools and runs no code with permissions unless the user allows it",
  ignore: needs("python3"),
  async fn() {
    await using app = await testApp({});
    const made = {
      name: "caller",
      description: "Calls",
      code: CALLER,
      interpreter: "python3",
      permissions: {},
    };
    equal((await app.call("register_script", made)).isError, undefined);
    const wanted = [
      { name: "register_script", arguments: WIDE },
      { name: "execute_code", arguments: PROGRAM },
      { name: "version", arguments: { action: "rollback", tool_name: "caller", version: "1.0.0" } },
      { name: "delete_tool", arguments: { tool_name: "caller" } },
      // By another built-in tool as well.
      { name: "call_tool", arguments: { tool_name: "register_script", arguments: WIDE } },
    ];
    for (const each of wanted) {
      const refused = await app.call("caller", each);
      equal(refused.isError, true, each.name);
      match(resultText(refused), /the tool "caller" calls .*can't ask the user/);
    }
    const no = userSays({ action: "decline" });
    match(resultText(await app.call("caller", wanted[0] ?? {}, no.context())), /the user did not allow it/);
    const yes = userSays({ action: "accept", content: { allow: true } });
    equal((await app.call("caller", wanted[0] ?? {}, yes.context())).isError, undefined);
    deepEqual(yes.caller.questions.map(({ params }) => params.message), [
      'The tool "caller" wants to call register_script for "wide" with {"net":true}. Allow it?',
    ]);
    // A tool of no more rights gives nobody anything; one without permissions has those of the default profile.
    const { permissions: _wide, ...unsaid } = WIDE;
    const narrow = { ...unsaid, name: "narrow", permissions: {} };
    equal((await app.call("caller", { name: "register_script", arguments: narrow })).isError, undefined);
    const replaced = { ...narrow, overwrite: true };
    equal((await app.call("caller", { name: "register_script", arguments: replaced })).isError, true);
    const profile = { ...unsaid, name: "profile" };
    equal((await app.call("caller", { name: "register_script", arguments: profile })).isError, true);
    // What changes nothing needs no question, and programs of the model make tools as it does itself.
    equal((await app.call("caller", { name: "list_tools", arguments: {} })).isError, undefined);
    const again = { ...WIDE, name: "wide2" };
    const code = `return await tools.register_script(${JSON.stringify(again)})`;
    equal((await app.call("execute_code", { code, language: "javascript" })).isError, undefined);
  },
});
