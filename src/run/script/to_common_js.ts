/**
 * A module of our own as CommonJS, so that Node's `require` finds the same code. Knows the few forms of import and export
 * that our helper library has, each on lines of its own.
 */
export function toCommonJs(module: string): string {
  return module
    .replace(/^import (\w+) from "([^"]+)";$/gm, 'const $1 = require("$2");')
    .replace(/^import (\{[^}]+\}) from "([^"]+)\.mjs";$/gm, 'const $1 = require("$2.cjs");')
    .replace(/^export const \{[^}]+\} = \w+;\n/gm, "")
    .replace(/^export default (\w+);$/gm, "module.exports = $1;")
    .replace(/^export (\{[^}]+\});$/gm, "module.exports = $1;");
}
