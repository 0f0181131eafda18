import { deepEqual, equal, match } from "node:assert/strict";
import type { JsonObject } from "../../src/base/json.ts";
import { resultText } from "../../src/base/tool_result.ts";
import { needs } from "../support/needs.ts";
import { bench, type ScriptSpec, testCaller, testContext } from "./_fixture.ts";

/** The same tool in each language that has a helper library. */
const TOOLS: Readonly<Record<string, ScriptSpec & { program: string }>> = {
  python: {
    program: "python3",
    interpreter: "python3",
    extension: "py",
    code: `from skillz import *

@tool
def main(city: str, days: int = 2):
    print("printed by the tool")
    progress(1, 2, "half")
    log("working", "warning")
    memory.set("city", city)
    inner = call("inner", {"x": 1})
    answer = elicit("Sure?", {"ok": {"type": "boolean"}})
    if city == "nowhere":
        raise ValueError("no such city")
    return {
        "city": memory.get("city"), "none": memory.get("other", "dflt"), "keys": memory.list(), "days": days,
        "inner": inner, "ok": answer["content"]["ok"], "said": sample("Hi"), "tool": context.tool_name,
        "gone": memory.delete("city"), "read": resources.read("test://a")[0]["text"], "below": below(),
    }

def below():
    return "seen"
`,
  },
  node: {
    program: "node",
    interpreter: "node",
    extension: "mjs",
    code: javascript(
      'import { call, context, elicit, log, memory, progress, resources, sample, tool } from "skillz";',
    ),
  },
  "node, CommonJS": {
    program: "node",
    interpreter: "node",
    extension: "cjs",
    code: javascript(
      'const { call, context, elicit, log, memory, progress, resources, sample, tool } = require("skillz");',
    ),
  },
  deno: {
    program: "deno",
    interpreter: "deno run",
    extension: "ts",
    code: javascript(
      'import { call, context, elicit, log, memory, progress, resources, sample, tool } from "skillz";',
    )
      .replace("{ city, days = 2 }", "{ city, days = 2 }: { city: string; days?: number }"),
  },
  ruby: {
    program: "ruby",
    interpreter: "ruby",
    extension: "rb",
    code: `require "skillz"

Skillz.tool do |args|
  city = args["city"]
  puts "printed by the tool"
  Skillz.progress(1, 2, "half")
  Skillz.log("working", "warning")
  Skillz.memory.set("city", city)
  inner = Skillz.call("inner", x: 1)
  answer = Skillz.elicit("Sure?", ok: { type: "boolean" })
  raise ArgumentError, "no such city" if city == "nowhere"

  {
    city: Skillz.memory.get("city"), none: Skillz.memory.get("other", "dflt"), keys: Skillz.memory.list,
    days: args.fetch("days", 2), inner: inner, ok: answer["content"]["ok"], said: Skillz.sample("Hi"),
    tool: Skillz.context["tool_name"], gone: Skillz.memory.delete("city"),
    read: Skillz.resources.read("test://a")[0]["text"], below: below
  }
end

def below = "seen"
`,
  },
  bash: { program: "bash", interpreter: "bash", extension: "sh", code: shell() },
  sh: { program: "sh", interpreter: "sh", extension: "sh", code: shell() },
};

function javascript(head: string): string {
  return `${head}

tool(async ({ city, days = 2 }) => {
  console.log("printed by the tool");
  progress(1, 2, "half");
  log("working", "warning");
  await memory.set("city", city, { ttl: 600 });
  const inner = await call("inner", { x: 1 });
  const answer = await elicit("Sure?", { ok: { type: "boolean" } });
  if (city === "nowhere") throw new RangeError("no such city");
  return {
    city: await memory.get("city"), none: await memory.get("other", "dflt"), keys: await memory.list(), days,
    inner, ok: answer.content.ok, said: await sample("Hi"), tool: context.tool_name,
    gone: await memory.delete("city"), read: (await resources.read("test://a"))[0].text, below,
  };
});

const below = "seen";
`;
}

function shell(): string {
  return `. skillz.sh
set -eu
city=$(skillz_arg city)
echo "printed by the tool"
skillz_progress 1 2 half
skillz_log working warning
skillz_memory_set city "$city"
inner=$(skillz_call inner '{"x":1}')
ok=$(skillz_elicit "Sure?" '{"type":"object","properties":{"ok":{"type":"boolean"}}}' | skillz_json content.ok)
if [ "$city" = nowhere ]; then echo "ValueError: no such city" >&2; skillz_error "no such city"; exit; fi
skillz_result_json "{
  \\"city\\":$(skillz_string "$(skillz_memory_get city)"),\\"none\\":$(skillz_string "$(skillz_memory_get other dflt)"),
  \\"keys\\":[$(skillz_string "$(skillz_memory_list)")],\\"days\\":$(skillz_arg days 2),\\"inner\\":$inner,\\"ok\\":$ok,
  \\"said\\":$(skillz_string "$(skillz_sample Hi)"),\\"tool\\":$(skillz_string "$(skillz_context tool_name)"),
  \\"gone\\":$(skillz_memory_delete city),\\"read\\":$(skillz_string "$(skillz_resource test://a)"),\\"below\\":\\"seen\\"}"
`;
}

function answers(): ReturnType<typeof testCaller> {
  return testCaller({
    answer: ({ method }): JsonObject =>
      method === "elicitation/create"
        ? { action: "accept", content: { ok: true } }
        : { role: "assistant", model: "m", content: { type: "text", text: "Hello" } },
  });
}

for (const [language, { program, ...spec }] of Object.entries(TOOLS)) {
  Deno.test({
    name: `helper library of ${language}: arguments, notes, memory, questions, nested calls, result`,
    ignore: needs(program),
    async fn() {
      await using place = await bench({
        callTool: (name, args, ctx) =>
          Promise.resolve({
            content: [{ type: "text", text: `{"called":"${name}"}` }],
            structuredContent: { called: name, args, depth: ctx.depth, chain: [...ctx.chain] },
          }),
      });
      const tool = await place.tool("helped", spec);
      const { caller, heard } = answers();
      const city = 'Zürich "am See" \\ 😀\nline';
      const result = await place.call(tool, { city }, testContext({ caller }));
      const { inner, ...rest } = result.structuredContent ?? {};
      deepEqual(rest, {
        city,
        none: "dflt",
        keys: ["city"],
        days: 2,
        ok: true,
        said: "Hello",
        tool: "helped",
        gone: true,
        read: "text of test://a",
        below: "seen",
      }, resultText(result));
      const isShell = program === "bash" || program === "sh";
      deepEqual(
        inner,
        isShell ? { called: "inner" } : { called: "inner", args: { x: 1 }, depth: 1, chain: ["helped"] },
      );
      deepEqual(heard.progress, [{ progress: 1, total: 2, message: "half" }]);
      equal(heard.logs.some(({ level, data }) => level === "warning" && data === "working"), true);
      equal(heard.logs.some(({ data }) => data === "printed by the tool"), true);
      deepEqual(heard.questions.map((question) => question.method), [
        "elicitation/create",
        "sampling/createMessage",
      ]);
    },
  });

  Deno.test({
    name: `helper library of ${language}: an exception is the tool's failure`,
    ignore: needs(program),
    async fn() {
      await using place = await bench({
        callTool: () => Promise.resolve({ content: [{ type: "text", text: "1" }] }),
      });
      const tool = await place.tool("helped", spec);
      const result = await place.call(tool, { city: "nowhere" }, testContext({ caller: answers().caller }));
      equal(result.isError, true);
      match(resultText(result), /no such city/);
    },
  });
}
