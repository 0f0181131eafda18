import { deepEqual, equal, match } from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject } from "../../src/base/json.ts";
import { resultText } from "../../src/base/tool_result.ts";
import { fakeCaller, fakeContext } from "../support/fake_caller.ts";
import { needs } from "../support/needs.ts";
import { type TestApp, testApp } from "../support/test_app.ts";

const POLICY = `
[policy.allow]
net = ["*.example.com"]
[policy.deny]
net = ["evil.example.org"]
`;

/** A context of a user who answers each question in this way. */
function userSays(answer: JsonObject) {
  const caller = fakeCaller({ answer: () => answer });
  return { caller, context: () => fakeContext({ caller }) };
}

const script = (permissions: JsonObject | undefined, more: JsonObject = {}): JsonObject => ({
  name: "t",
  description: "Says hello",
  interpreter: "python3",
  code: 'print("hello")',
  ...(permissions === undefined ? {} : { permissions }),
  ...more,
});

const confirmed = async ({ toolsDir }: TestApp) =>
  JSON.parse(await readFile(join(toolsDir, ".policy.json"), "utf8")).tools as JsonObject;

Deno.test({
  name: "register_script asks for what goes beyond the policy, and an update for what grew",
  ignore: needs("python3"),
  async fn() {
    await using app = await testApp({ toml: POLICY });
    const user = userSays({ action: "accept", content: { allow: true } });
    const register = (permissions: JsonObject) =>
      app.call("register_script", script(permissions, { overwrite: true }), user.context());
    equal((await register({ net: ["api.example.com"] })).isError, undefined);
    equal(user.caller.questions.length, 0);
    equal((await register({ net: ["api.example.com", "other.org"] })).isError, undefined);
    equal((await register({ net: ["other.org"] })).isError, undefined);
    equal((await register({ net: ["other.org"], run: ["git"] })).isError, undefined);
    deepEqual(
      user.caller.questions.map((
        { method, params },
      ) => [method, /: (\w+: .*)\. Allow/.exec(String(params.message))?.[1]]),
      [["elicitation/create", 'net: ["other.org"]'], ["elicitation/create", 'run: ["git"]']],
    );
    const { t } = await confirmed(app);
    deepEqual((t as JsonObject).permissions, { net: ["other.org"], run: ["git"] });
    equal(resultText(await app.call("t")).trim(), "hello");
  },
});

Deno.test({
  name: "register_script registers nothing when the user says no, can't be asked, or the policy forbids it",
  ignore: needs("python3"),
  async fn() {
    await using app = await testApp({ toml: POLICY });
    const no = userSays({ action: "decline" });
    const refusals = [
      await app.call("register_script", script({ net: ["other.org"] }), no.context()),
      await app.call("register_script", script({ net: ["other.org"] })),
      await app.call("register_script", script({ net: ["evil.example.org"] }), no.context()),
    ];
    for (const refusal of refusals) equal(refusal.isError, true);
    match(resultText(refusals[0] ?? { content: [] }), /the user did not allow net: \["other\.org"\]/);
    match(resultText(refusals[1] ?? { content: [] }), /this client can't ask.*\[policy\.allow\]/);
    match(resultText(refusals[2] ?? { content: [] }), /policy\.deny\.net/);
    equal(no.caller.questions.length, 1);
    equal(app.app.store.get("t"), undefined);
  },
});

Deno.test({
  name: "a manifest that grew on disk is refused at the call until the user confirms it",
  ignore: needs("python3"),
  async fn() {
    await using app = await testApp({ toml: POLICY });
    await app.data("register_script", script({ net: ["api.example.com"] }));
    const path = join(app.toolsDir, "t", "manifest.json");
    const manifest = JSON.parse(await readFile(path, "utf8"));
    await writeFile(
      path,
      JSON.stringify({ ...manifest, permissions: { net: ["api.example.com", "other.org"] } }),
    );
    await app.app.store.refresh("t");
    const refused = await app.call("t");
    equal(refused.isError, true);
    match(resultText(refused), /Cannot run "t": the user must confirm net: \["other\.org"\]/);
    const yes = userSays({ action: "accept", content: { allow: true } });
    equal(resultText(await app.call("t", {}, yes.context())).trim(), "hello");
    equal(resultText(await app.call("t")).trim(), "hello");
    equal(yes.caller.questions.length, 1);
  },
});

Deno.test({
  name: "delete_tool forgets what was confirmed",
  ignore: needs("python3"),
  async fn() {
    await using app = await testApp({ toml: POLICY });
    const yes = userSays({ action: "accept", content: { allow: true } });
    await app.call("register_script", script({ net: ["other.org"] }), yes.context());
    await app.data("delete_tool", { tool_name: "t" });
    deepEqual(await confirmed(app), {});
  },
});

Deno.test("execute_code has its permissions confirmed at each run, and needs none for calling tools", async () => {
  await using app = await testApp({ toml: POLICY });
  const code = { language: "javascript", code: "return 1 + 1" };
  equal((await app.call("execute_code", code)).isError, undefined);
  const refused = await app.call("execute_code", { ...code, permissions: { net: ["other.org"] } });
  match(resultText(refused), /Cannot run "execute_code": the user must confirm net: \["other\.org"\]/);
  const yes = userSays({ action: "accept", content: { allow: true } });
  for (let i = 0; i < 2; i++) {
    const result = await app.call(
      "execute_code",
      { ...code, permissions: { net: ["other.org"] } },
      yes.context(),
    );
    equal(result.isError, undefined, resultText(result));
  }
  equal(yes.caller.questions.length, 2);
});

Deno.test({
  name:
    "everything may be registered where there is no policy, and tools without permissions where it is broken",
  ignore: needs("python3"),
  async fn() {
    await using open = await testApp();
    await open.data("register_script", script({ net: true, run: ["git"], env: ["SKILLZ_X"] }));
    await using broken = await testApp({ toml: "[policy.deny]\nnet = 3\n" });
    const refused = await broken.call("register_script", script({ net: ["a.example"] }));
    match(resultText(refused), /policy that would decide on it can't be read: .*policy\.deny\.net/);
    await broken.data("register_script", script(undefined));
    equal(resultText(await broken.call("t")).trim(), "hello");
  },
});

Deno.test({
  name: "a tool without permissions gets the default profile of the policy, and its secrets only",
  ignore: needs("python3"),
  async fn() {
    await using app = await testApp({
      toml: '[policy.default]\nenv = ["SKILLZ_OPEN"]\n',
      env: { SKILLZ_OPEN: "open-value", SKILLZ_SHUT: "shut-value" },
    });
    const code =
      'import os; print(sorted(name for name in os.environ if name.startswith("SKILLZ_") and name != "SKILLZ_PROCESS"))';
    await app.data("register_script", script(undefined, { code }));
    equal(resultText(await app.call("t")).trim(), "['SKILLZ_OPEN']");
  },
});
