import type { JsonObject } from "../../../src/base/json.ts";
import type { ToolResult } from "../../../src/base/tool_result.ts";
import type { CallContext } from "../../../src/run/call_context.ts";
import { type TestApp, testApp, type TestAppOptions } from "../../support/test_app.ts";

/** A server's parts, with tools for programs to call: `weather`, `odd-name`, `fails`, `texts`. */
export interface CodeApp extends TestApp {
  /** Runs a program; TypeScript unless `options` says otherwise. */
  run(code: string, options?: JsonObject, ctx?: CallContext): Promise<ToolResult>;
}

const CITY = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };

/** Opens it. */
export async function codeApp(options: TestAppOptions = {}): Promise<CodeApp> {
  const app = await testApp(options);
  const register = (name: string, body: string, more: JsonObject = {}) =>
    app.data("register_script", {
      name,
      description: `The tool ${name}`,
      extension: "ts",
      code: `import { tool } from "skillz";\ntool((args) => ${body});\n`,
      permissions: {},
      ...more,
    });
  await register("weather", "({ city: args.city, temp: args.city.length })", {
    input_schema: CITY,
    output_schema: {
      type: "object",
      properties: { city: { type: "string" }, temp: { type: "number" } },
      required: ["city", "temp"],
    },
  });
  await register("odd-name", "({ got: args })");
  await register("fails", '{ throw new Error("no luck today") }');
  await register("texts", "`text of ${args.n}`", {
    input_schema: { type: "object", properties: { n: { type: "integer" } } },
  });
  return {
    ...app,
    run: (code, more = {}, ctx = undefined) => app.call("execute_code", { code, ...more }, ctx),
  };
}
