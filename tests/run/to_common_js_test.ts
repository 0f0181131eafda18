import { equal } from "node:assert/strict";
import { toCommonJs } from "../../src/run/script/to_common_js.ts";

Deno.test("toCommonJs() turns the forms of import and export that the library has", () => {
  const module = [
    'import fs from "node:fs";',
    'import { a } from "./core.mjs";',
    "const x = a(fs);",
    "export const {",
    "  b,",
    "} = x;",
    "export default x;",
    "",
  ].join("\n");
  equal(
    toCommonJs(module),
    [
      'const fs = require("node:fs");',
      'const { a } = require("./core.cjs");',
      "const x = a(fs);",
      "module.exports = x;",
      "",
    ].join("\n"),
  );
  equal(toCommonJs("export { a };\n"), "module.exports = { a };\n");
});
