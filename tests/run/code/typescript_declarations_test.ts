import assert from "node:assert/strict";
import { type CodeTool, toolsMentioned } from "../../../src/run/code/code_tool.ts";
import { pythonSignature } from "../../../src/run/code/python_signatures.ts";
import {
  typescriptDeclarations,
  typescriptSignature,
} from "../../../src/run/code/typescript_declarations.ts";

const city = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const weather: CodeTool = {
  name: "weather",
  description: "Weather now",
  inputSchema: city,
  outputSchema: { type: "object", properties: { temp: { type: "number" } } },
};
const odd: CodeTool = { name: "odd-name", description: "*/ evil", inputSchema: { type: "object" } };
const now: CodeTool = {
  name: "time_now",
  description: "Now",
  inputSchema: { type: "object" },
  namespace: "time",
};

Deno.test("typescriptSignature() has the doc comment, arguments and result", () => {
  assert.equal(
    typescriptSignature(weather),
    "/** Weather now */ weather(args: { city: string }): Promise<{ temp?: number }>",
  );
});

Deno.test("typescriptSignature() quotes odd and reserved names and closes no comment", () => {
  assert.equal(
    typescriptSignature(odd),
    '/** *\u2215 evil */ "odd-name"(args?: Record<string, unknown>): Promise<any>',
  );
  assert.match(typescriptSignature({ ...odd, name: "delete" }), /"delete"\(/);
});

Deno.test("typescriptDeclarations() gives an imported server its namespace", () => {
  const text = typescriptDeclarations([weather, now]);
  assert.match(text, /time: \{ \/\*\* Now \*\/ now\(args\?: Record<string, unknown>\): Promise<any> \}/);
  assert.match(text, /time_now\(/);
});

Deno.test("toolsMentioned() finds names with dots, quotes, and namespaces, and no others", () => {
  const names = (code: string) => toolsMentioned(code, [weather, odd, now]).map((tool) => tool.name);
  assert.deepEqual(names("await tools.weather({})"), ["weather"]);
  assert.deepEqual(names('tools["odd-name"]()'), ["odd-name"]);
  assert.deepEqual(names("tools.time.now()"), ["time_now"]);
  assert.deepEqual(names("const now = 1"), []);
});

Deno.test("pythonSignature() shows keyword parameters, required ones without default", () => {
  const tool: CodeTool = {
    ...weather,
    inputSchema: {
      type: "object",
      properties: { days: { type: "integer" }, city: { type: "string" } },
      required: ["city"],
    },
  };
  assert.equal(pythonSignature(tool), 'def weather(*, city: str, days: int = …) -> dict: """Weather now"""');
});
