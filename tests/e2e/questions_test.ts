import assert from "node:assert/strict";
import { needs } from "../support/needs.ts";
import { startServer } from "../support/server.ts";

const PYTHON = `from skillz import tool, elicit, sample, roots, context, SkillzError

def attempt(ask):
    try:
        return ask()
    except SkillzError as error:
        return "refused: %s" % error

@tool
def main() -> dict:
    return {
        "elicited": attempt(lambda: elicit("Your name?", {"name": {"type": "string"}})),
        "sampled": attempt(lambda: sample("Say hi")),
        "roots": attempt(lambda: [one["uri"] for one in roots()]),
        "capabilities": {key: context["capabilities"][key] for key in ("sampling", "elicitation")},
    }
`;
const NESTED = `from skillz import tool, call

@tool
def main() -> dict:
    return call("asks")
`;

for (const era of ["legacy", "modern"] as const) {
  Deno.test(`B21 a client that can't answer is not asked, and the script goes on (${era})`, {
    ignore: needs("python3"),
  }, async () => {
    await using server = await startServer({ era, env: { SKILLZ_ROOTS: "/tmp" } });
    await server.text("register_script", {
      name: "asks",
      description: "d",
      interpreter: "python3",
      code: PYTHON,
    });
    const { structuredContent: answer = {} } = await server.call("call_tool", { tool_name: "asks" });
    assert.match(String(answer.elicited), /^refused: .*elicitation/i);
    assert.match(String(answer.sampled), /^refused: .*sampling/i);
    assert.deepEqual(answer.roots, ["file:///tmp"]);
    assert.deepEqual(answer.capabilities, { sampling: false, elicitation: false });
  });

  Deno.test(
    `a script's questions reach the client from any depth (${era})`,
    { ignore: needs("python3") },
    async () => {
      await using server = await startServer({
        era,
        capabilities: { elicitation: { form: {} }, sampling: {}, roots: {} },
        prepare(client) {
          client.setRequestHandler(
            "elicitation/create",
            () => ({ action: "accept", content: { name: "Ada" } }),
          );
          client.setRequestHandler(
            "sampling/createMessage",
            () => ({ model: "m", role: "assistant", content: { type: "text", text: "hi" } }),
          );
          client.setRequestHandler("roots/list", () => ({ roots: [{ uri: "file:///usr", name: "usr" }] }));
        },
      });
      await server.text("register_script", {
        name: "asks",
        description: "d",
        interpreter: "python3",
        code: PYTHON,
      });
      await server.text("register_script", {
        name: "nested",
        description: "d",
        interpreter: "python3",
        code: NESTED,
      });
      const wanted = {
        elicited: { action: "accept", content: { name: "Ada" } },
        sampled: "hi",
        roots: ["file:///usr"],
        capabilities: { sampling: true, elicitation: true },
      };
      for (const tool_name of ["asks", "nested"]) {
        assert.deepEqual(
          (await server.call("call_tool", { tool_name })).structuredContent,
          wanted,
          tool_name,
        );
      }
    },
  );
}
