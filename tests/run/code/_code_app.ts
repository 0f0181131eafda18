import type { JsonObject } from "../../../src/base/json.ts";
import type { ToolResult } from "../../../src/base/tool_result.ts";
import type { CallContext } from "../../../src/run/call_context.ts";
import { type TestApp, testApp, type TestAppOptions } from "../../support/test_app.ts";

/** A server's parts, and the way to run programs. */
export interface CodeApp extends TestApp {
  /** Runs a program; TypeScript unless `options` says otherwise. */
  run(code: string, options?: JsonObject, ctx?: CallContext): Promise<ToolResult>;
  /** Makes a Deno tool from the body of an arrow function of `args`. */
  register(name: string, body: string, more?: JsonObject): Promise<void>;
}

const CITY = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };

const TOOLS = {
  weather: {
    body: "({ city: args.city, temp: args.city.length })",
    input_schema: CITY,
    output_schema: {
      type: "object",
      properties: { city: { type: "string" }, temp: { type: "number" } },
      required: ["city", "temp"],
    },
  },
  "odd-name": { body: "({ got: args })" },
  fails: { body: '{ throw new Error("no luck today") }' },
  texts: {
    body: "`text of ${args.n}`",
    input_schema: { type: "object", properties: { n: { type: "integer" } } },
  },
} as const;

/** Options of {@linkcode codeApp}. */
export interface CodeAppOptions extends TestAppOptions {
  /** Tools to make. @default none */
  tools?: readonly (keyof typeof TOOLS)[];
}

/** Opens it. */
export async function codeApp({ tools = [], ...options }: CodeAppOptions = {}): Promise<CodeApp> {
  const app = await testApp(options);
  const register: CodeApp["register"] = async (name, body, more = {}) => {
    await app.data("register_script", {
      name,
      description: `The tool ${name}`,
      extension: "ts",
      code: `import { tool } from "skillz";\ntool((args: any) => ${body});\n`,
      permissions: {},
      ...more,
    });
  };
  for (const name of tools) {
    const { body, ...more } = TOOLS[name];
    await register(name, body, JSON.parse(JSON.stringify(more)));
  }
  return {
    ...app,
    register,
    run: (code, more = {}, ctx = undefined) => app.call("execute_code", { code, ...more }, ctx),
  };
}
