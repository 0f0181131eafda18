import { deepEqual, equal } from "node:assert/strict";
import { findCycle, specifiersOf } from "../support/imports.ts";

const SOURCE = [
  `import { a } from "./a.ts";`,
  `import type {\n  B,\n  C,\n} from "./b.ts";`,
  `import "./c.ts";`,
  `export * from "./d.ts";`,
  `const e = (await import("./e.ts")).E;`,
  `type F = import("./f.ts").F;`,
  `new Worker(new URL("./g.ts", import.meta.url), { type: "module" });`,
  `import text from "./h.md" with { type: "text" };`,
  `export type { I } from "./i.ts";`,
  `export function text() {\n  return x.replace(/^y (z) from "./no.ts"/, "");\n}`,
  `// import { no } from "./no.ts";`,
  `/* import { no } from "./no.ts"; */`,
].join("\n");

Deno.test("specifiersOf() finds every form of import", () => {
  deepEqual(names(specifiersOf(SOURCE)), "abcdefghi");
});

Deno.test("specifiersOf() leaves out what only types are taken from when only values are asked for", () => {
  deepEqual(names(specifiersOf(SOURCE, { values: true })), "acdegh");
});

Deno.test("findCycle() names the files of a cycle, and finds none where paths only meet", () => {
  equal(findCycle(new Map([["a", ["b", "c"]], ["b", ["d"]], ["c", ["d"]], ["d", []]])), undefined);
  deepEqual(findCycle(new Map([["a", ["b"]], ["b", ["c"]], ["c", ["b"]]])), ["b", "c", "b"]);
  deepEqual(findCycle(new Map([["a", ["a"]]])), ["a", "a"]);
});

function names(specifiers: readonly string[]): string {
  return specifiers.map((specifier) => specifier[2]).sort().join("");
}
