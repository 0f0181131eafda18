import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { errorText } from "../../src/base/errors.ts";
import type { JsonObject } from "../../src/base/json.ts";
import { resultText } from "../../src/base/tool_result.ts";
import { needs } from "../support/needs.ts";
import { type TestApp, testApp } from "../support/test_app.ts";

/** Texts that mean something to a shell, to git, to an installer or to a path, all of which leave a file behind. */
function nasty(mark: string): readonly string[] {
  return [
    `$(touch ${mark})`,
    `\`touch ${mark}\``,
    `x; touch ${mark}`,
    `x\ntouch ${mark}`,
    `x\r\ntouch ${mark}\r\n`,
    `x && touch ${mark} #`,
    `x | touch ${mark}`,
    `'; touch ${mark}; '`,
    `"; touch ${mark}; "`,
    `--upload-pack=touch ${mark}`,
    `--config=core.sshCommand=touch ${mark}`,
    `-o ProxyCommand=touch ${mark}`,
    `-rf`,
    `--`,
    `../../${mark}`,
    `/${mark}`,
    `%0atouch ${mark}`,
    `\u2028touch ${mark}`,
    `x\0touch ${mark}`,
  ];
}

/** Calls, whatever comes of it; the text tells. */
async function told(
  app: TestApp,
  name: string,
  args: JsonObject,
): Promise<{ failed: boolean; text: string }> {
  try {
    const result = await app.call(name, args);
    return { failed: result.isError === true, text: resultText(result) };
  } catch (error) {
    return { failed: true, text: errorText(error) };
  }
}

/** All files below a folder whose name holds the mark. */
async function marked(folder: string, mark: string): Promise<string[]> {
  return (await readdir(folder, { recursive: true })).filter((name) => name.includes(mark));
}

const SCRIPT = { description: "d", interpreter: "bash", code: "echo fine" };

Deno.test({
  name: "names and fields that hold commands, options or paths make nothing run and no file",
  ignore: needs("git", "bash"),
  async fn() {
    await using app = await testApp({ env: { SKILLZ_SANDBOX: "none" } });
    const mark = `mark${crypto.randomUUID().slice(0, 8)}`;
    const fields: readonly ((text: string) => [string, JsonObject])[] = [
      (text) => ["register_script", { ...SCRIPT, name: text }],
      (text) => ["register_script", { ...SCRIPT, name: "bad", interpreter: "deno", dependencies: [text] }],
      (
        text,
      ) => ["register_script", {
        ...SCRIPT,
        name: "bad",
        interpreter: "python3",
        dependencies: [`six==${text}`],
      }],
      (text) => ["register_script", { ...SCRIPT, name: "bad", extension: text }],
      (text) => ["build_tool", { name: text, description: "d", code: "fn main() {}" }],
      (text) => ["build_tool", { name: "bad", description: "d", code: "fn main() {}", dependencies: [text] }],
      (
        text,
      ) => ["pipeline", {
        action: "create",
        name: text,
        description: "d",
        steps: [{ name: "a", tool: "good" }],
      }],
      (text) => ["delete_tool", { tool_name: text }],
      (text) => ["version", { action: "rollback", tool_name: "good", version: text }],
      (text) => ["version", { action: "list", tool_name: text }],
      (text) => ["add_skill_repo", { url: text }],
      (text) => ["add_skill_repo", { url: `https://127.0.0.1:1/o/${text}` }],
      (text) => ["add_skill_repo", { url: `ssh://${text}/o/r` }],
      (text) => ["call_tool", { tool_name: text }],
      (text) => ["memory", { action: "get", tool_name: text, key: text }],
    ];
    const made = await app.call("register_script", { ...SCRIPT, name: "good" });
    assert.equal(made.isError, undefined, resultText(made));
    for (const text of nasty(mark)) {
      for (const field of fields) {
        const [name, args] = field(text);
        const { failed, text: said } = await told(app, name, args);
        if (name === "memory") continue; // any text is a key
        assert.ok(failed, `${name} ${JSON.stringify(args)}: ${said}`);
      }
    }
    assert.deepEqual(await marked(join(app.root, ".."), mark), []);
    // What was there is still there, and works.
    assert.equal(resultText(await app.call("good")).trim(), "fine");
    assert.equal((await app.call("delete_tool", { tool_name: "good" })).isError, undefined);
  },
});

const ECHO = {
  bash: `read -r call; printf 'heard %s' "$call"`,
  python3: `import json, sys
call = json.loads(sys.stdin.readline())
print(json.dumps({"jsonrpc": "2.0", "id": call["id"], "result": call["params"]["arguments"]}))`,
  deno: `import { tool } from "skillz"; tool((args: Record<string, unknown>) => args);`,
} as const;

Deno.test({
  name: "arguments that hold commands come to tools as the text that they are",
  ignore: needs("bash", "python3"),
  async fn() {
    await using app = await testApp({ env: { SKILLZ_SANDBOX: "none" } });
    const mark = `mark${crypto.randomUUID().slice(0, 8)}`;
    const texts = nasty(mark);
    for (const [interpreter, code] of Object.entries(ECHO)) {
      const name = `echo_${interpreter}`;
      const made = await app.call("register_script", { name, description: "d", interpreter, code });
      assert.equal(made.isError, undefined, resultText(made));
      const args = { text: texts.join("+"), list: [...texts], [texts[0] ?? ""]: 1 };
      const result = await app.call(name, args);
      if (interpreter === "bash") {
        // It prints the line that it read.
        const line = JSON.parse(resultText(result).slice("heard ".length)) as {
          params: { arguments: JsonObject };
        };
        assert.deepEqual(line.params.arguments, args);
      } else assert.deepEqual(result.structuredContent, args, interpreter);
    }
    assert.deepEqual(await marked(join(app.root, ".."), mark), []);
  },
});
