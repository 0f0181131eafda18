import type { JsonObject } from "../base/json.ts";

/** A tool that shows how one kind is written; each is registered and called by a test. */
export interface GuideExample {
  /** What it shows. */
  readonly title: string;
  /** The tool that makes it. */
  readonly with: "register_script" | "build_tool" | "pipeline";
  /** Language of `code`, for the fence. */
  readonly language: string;
  /** Arguments of that tool; `code` is shown apart. */
  readonly arguments: JsonObject & { name: string; code?: string };
  /** Program without which it can't run. */
  readonly needs: string;
}

const text = { type: "object", properties: { text: { type: "string" } }, required: ["text"] };

/** The examples of `skillz://examples`, also the templates of `skillz init`. */
export const GUIDE_EXAMPLES: readonly GuideExample[] = [
  {
    title: "Python: arguments by name, an error that helps",
    with: "register_script",
    language: "python",
    needs: "python3",
    arguments: {
      name: "average",
      description: "Arithmetic mean of numbers",
      interpreter: "python3",
      code: `from skillz import tool

@tool
def main(numbers: list) -> dict:
    if not numbers:
        raise ValueError("numbers is empty, give at least one")
    return {"average": sum(numbers) / len(numbers), "count": len(numbers)}
`,
      input_schema: {
        type: "object",
        properties: { numbers: { type: "array", items: { type: "number" } } },
        required: ["numbers"],
      },
      output_schema: {
        type: "object",
        properties: { average: { type: "number" }, count: { type: "integer" } },
        required: ["average", "count"],
      },
      annotations: { readOnlyHint: true },
      permissions: {},
      examples: [
        { arguments: { numbers: [1, 2, 6] }, expect: { structured: { average: 3, count: 3 } } },
        { name: "nothing", arguments: { numbers: [] }, expect: { error: "numbers is empty" } },
      ],
    },
  },
  {
    title: "TypeScript, run by Deno: reads the workspace, reports progress",
    with: "register_script",
    language: "typescript",
    needs: "deno",
    arguments: {
      name: "count_files",
      description: "Counts the files of the first workspace root",
      interpreter: "deno run",
      code: `import { context, progress, tool } from "skillz";

tool(async () => {
  const [root] = context.roots;
  let files = 0;
  for await (const entry of Deno.readDir(root)) {
    if (entry.isFile) files += 1;
    progress(files);
  }
  return { root, files };
});
`,
      permissions: { read: ["$ROOTS"] },
      annotations: { readOnlyHint: true },
      examples: [{ arguments: {} }],
    },
  },
  {
    title: "JavaScript, run by Node: remembers, calls another tool",
    with: "register_script",
    language: "javascript",
    needs: "node",
    arguments: {
      name: "running_average",
      description: "Adds a number to those seen so far and gives their mean",
      interpreter: "node",
      code: `import { call, memory, tool } from "skillz";

tool(async ({ number }) => {
  const numbers = [...(await memory.get("numbers")) ?? [], number];
  await memory.set("numbers", numbers, 3600);
  return await call("average", { numbers });
});
`,
      input_schema: { type: "object", properties: { number: { type: "number" } }, required: ["number"] },
      permissions: {},
    },
  },
  {
    title: "Ruby",
    with: "register_script",
    language: "ruby",
    needs: "ruby",
    arguments: {
      name: "slug",
      description: "Turns a title into a part of a web address",
      interpreter: "ruby",
      code: `require "skillz"

Skillz.tool do |text:|
  { slug: text.downcase.gsub(/[^a-z0-9]+/, "-").gsub(/^-|-$/, "") }
end
`,
      input_schema: text,
      permissions: {},
      examples: [{ arguments: { text: "Hello, World!" }, expect: { structured: { slug: "hello-world" } } }],
    },
  },
  {
    title: "Bash",
    with: "register_script",
    language: "bash",
    needs: "bash",
    arguments: {
      name: "shout",
      description: "Text in capital letters",
      interpreter: "bash",
      code: `. skillz.sh

skillz_result "$(skillz_arg text | tr '[:lower:]' '[:upper:]')"
`,
      input_schema: text,
      permissions: {},
      examples: [{ arguments: { text: "hello" }, expect: { text: "HELLO" } }],
    },
  },
];
