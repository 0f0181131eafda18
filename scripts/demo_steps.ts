/** One call of the demo and what its answer must hold. */
export interface DemoStep {
  /** What it shows. */
  title: string;
  /** Tool to call. */
  tool: string;
  /** Its arguments. */
  arguments: Record<string, unknown>;
  /** Parts that the answer's text must hold. */
  expect: string[];
  /** The call must fail. */
  fails?: boolean;
  /** A program without which the step is left out. */
  needs?: string;
}

const PYTHON = `from skillz import tool, memory, call

@tool
def main(city: str) -> dict:
    """Greets a city and counts how often it did."""
    visits = (memory.get(city) or 0) + 1
    memory.set(city, visits)
    return {"greeting": f"Hello, {city}!", "visits": visits}
`;

const TYPESCRIPT = `import { tool } from "skillz";

tool(({ text }: { text: string }) => ({ words: text.split(/\\s+/).filter(Boolean).length }));
`;

const NODE = `import { tool, call } from "skillz";

tool(async ({ city }) => {
  const { greeting } = await call("greet", { city });
  const { words } = await call("count_words", { text: greeting });
  return { said: greeting, words };
});
`;

const BASH = `. skillz.sh
skillz_result "$(skillz_arg text | tr '[:lower:]' '[:upper:]')"
`;

const FAILING = `from skillz import tool

@tool
def main(a: float, b: float) -> float:
    return a / b
`;

const numbers = {
  type: "object",
  properties: { a: { type: "number" }, b: { type: "number" } },
  required: ["a", "b"],
};
const text = { type: "object", properties: { text: { type: "string" } }, required: ["text"] };
const city = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };

/** The steps in their order. */
export function createDemoSteps(): DemoStep[] {
  return [
    register("a Python tool that remembers", "greet", {
      code: PYTHON,
      interpreter: "python3",
      input_schema: city,
    }, "python3"),
    register("a TypeScript tool, run by Deno without any permission", "count_words", {
      code: TYPESCRIPT,
      interpreter: "deno",
      input_schema: text,
    }),
    register("a Node tool that calls the other two", "greet_and_count", {
      code: NODE,
      interpreter: "node",
      input_schema: city,
    }, "node"),
    register("a bash tool", "shout", { code: BASH, interpreter: "bash", input_schema: text }, "bash"),
    {
      title: "all tools are there",
      tool: "list_tools",
      arguments: { type: "script" },
      expect: ["count_words"],
    },
    use("greet", { city: "Oslo" }, ["Hello, Oslo!", '"visits":1'], "python3"),
    use("greet", { city: "Oslo" }, ['"visits":2'], "python3"),
    use("count_words", { text: "one two three" }, ['"words":3']),
    use("greet_and_count", { city: "Lima" }, ["Hello, Lima!", '"words":2'], "python3"),
    use("shout", { text: "quiet please" }, ["QUIET PLEASE"], "bash"),
    {
      ...use("count_words", {}, ["text is missing"]),
      title: "a wrong call says which argument is missing",
      fails: true,
    },
    register("a tool with a fault", "divide", {
      code: FAILING,
      interpreter: "python3",
      input_schema: numbers,
    }, "python3"),
    {
      ...use("divide", { a: 1, b: 0 }, ["ZeroDivisionError"], "python3"),
      title: "the failure names its cause",
      fails: true,
    },
    register("the fault is mended by an update", "divide", {
      code: FAILING.replace("a / b", "a / b if b else 0.0"),
      interpreter: "python3",
      input_schema: numbers,
      overwrite: true,
    }, "python3"),
    { ...use("divide", { a: 1, b: 0 }, ["0"], "python3"), title: "the new version works at once" },
    {
      title: "what a tool stored can be read",
      tool: "memory",
      arguments: { action: "list", tool_name: "greet" },
      expect: ["Oslo", "Lima"],
      needs: "python3",
    },
    {
      title: "its tools are shown in tools/list from now on",
      tool: "activate_skill",
      arguments: { name: "count_words" },
      expect: ["count_words"],
    },
    {
      title: "and it can be removed",
      tool: "delete_tool",
      arguments: { tool_name: "shout" },
      expect: ["Deleted shout"],
      needs: "bash",
    },
  ];
}

function register(title: string, name: string, more: Record<string, unknown>, needs?: string): DemoStep {
  const step = {
    title: `register ${title}`,
    tool: "register_script",
    arguments: { name, description: `Demo tool ${name}`, ...more },
    expect: [name],
  };
  return needs === undefined ? step : { ...step, needs };
}

function use(name: string, args: Record<string, unknown>, expect: string[], needs?: string): DemoStep {
  const step = {
    title: `call ${name}`,
    tool: "call_tool",
    arguments: { tool_name: name, arguments: args },
    expect,
  };
  return needs === undefined ? step : { ...step, needs };
}
