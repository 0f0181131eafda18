import { deepEqual, equal } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import plugin from "../../scripts/lint_plugin.ts";

/** Sources that a rule must refuse, and their twins that it must let through, each in a file of that name. */
interface RuleCase {
  file: string;
  good: readonly string[];
  bad: readonly string[];
}

const CASES: Readonly<Record<string, readonly RuleCase[]>> = {
  "layers": [
    {
      file: "src/tools/x.ts",
      good: [
        `import { a } from "../base/a.ts";`,
        `import type { B } from "./_b.ts";`,
        `const m = await import("../process/spawn.ts");`,
        `import schema from "../../schemas/manifest.schema.json" with { type: "json" };`,
        `import { z } from "zod";`,
      ],
      bad: [
        `import { a } from "../run/a.ts";`,
        `import type { A } from "../run/a.ts";`,
        `export * from "../mcp/a.ts";`,
        `export { a } from "../cli/a.ts";`,
        `const m = await import("../run/a.ts");`,
        `type A = import("../run/a.ts").A;`,
        `import { t } from "../../tests/support/needs.ts";`,
        `import { a } from "../base/_private.ts";`,
        `import { a } from "../nowhere/a.ts";`,
      ],
    },
    { file: "src/nowhere/x.ts", good: [], bad: [`import { a } from "../base/a.ts";`] },
    {
      file: "main.ts",
      good: [`import { main } from "./src/cli/main.ts";`],
      bad: [`import { a } from "./src/base/a.ts";`],
    },
    { file: "tests/run/x_test.ts", good: [`import { a } from "../../src/base/_a.ts";`], bad: [] },
  ],
  "error-message": [{
    file: "src/base/x.ts",
    good: [
      'throw new SkillzError("denied", `Cannot read "${path}": it is outside, grant it`);',
      "throw new SkillzError(code, `${action}: it is outside`);",
      "throw new SkillzError(code, text);",
      `throw new TypeError("Cannot count: the list is empty");`,
      `throw new Error("Cannot go on: " + reason);`,
      `throw new Thing("lower case.");`,
    ],
    bad: [
      `throw new SkillzError("denied", "cannot read: it is outside");`,
      `throw new SkillzError("denied", "Cannot read: it is outside.");`,
      `throw new SkillzError("denied", "Error: cannot read");`,
      `throw new SkillzError("denied", "");`,
      "throw new RangeError(`Cannot count ${n}!`);",
      `throw new Error("no " + thing);`,
    ],
  }, { file: "tests/run/x_test.ts", good: [`stop.abort(new Error("enough"));`], bad: [] }],
  "max-args": [{
    file: "src/run/x.ts",
    good: [
      `export function f(a: A, b: B, options: Options = {}): void {}`,
      `export function f(a: A, b: B, ctx: CallContext, options?: FOptions): void {}`,
      `export function f(a: A, b: B, { c }: { c: C }): void {}`,
      `function f(a: A, b: B, c: C): void {}`,
      `list.map((a, b, c, d) => a);`,
      `class X { constructor(a: A, b: B, c: C) {} }`,
    ],
    bad: [
      `export function f(a: A, b: B, c: C): void {}`,
      `export const f = (a: A, b: B, c: C): void => {};`,
      `function f(a: A, b: B, c: C, d: D): void {}`,
      `class X { m(a: A, b: B, c: C, d: D) {} }`,
      `interface X { m(a: A, b: B, c: C, d: D): void }`,
    ],
  }, { file: "tests/run/x_test.ts", good: [`export function f(a: A, b: B, c: C): void {}`], bad: [] }],
  "no-command-outside-process": [
    {
      file: "src/run/x.ts",
      good: [`Deno.kill(pid);`, `import { spawn } from "../process/spawn.ts";`, `thing.Command();`],
      bad: [
        `new Deno.Command("x");`,
        `new globalThis.Deno.Command("x");`,
        `new Deno["Command"]("x");`,
        `const { Command } = Deno;`,
        `import { spawn } from "node:child_process";`,
        `const c = await import("node:child_process");`,
      ],
    },
    { file: "src/process/spawn.ts", good: [`new Deno.Command("x");`], bad: [] },
    { file: "tests/run/x_test.ts", good: [`new Deno.Command("x");`], bad: [] },
  ],
  "no-env-outside-config": [
    {
      file: "src/run/x.ts",
      good: [
        `const env = job.env;`,
        `import { tmpdir } from "node:os";`,
        `import { nextTick } from "node:process";`,
      ],
      bad: [
        `Deno.env.get("A");`,
        `const { env } = Deno;`,
        `globalThis.Deno.env.get("A");`,
        `process.env.A;`,
        `import process from "node:process";`,
        `import { env } from "node:process";`,
        `import { homedir } from "node:os";`,
      ],
    },
    { file: "src/config/env.ts", good: [`Deno.env.get("A");`], bad: [] },
    { file: "main.ts", good: [`Deno.args;`], bad: [`Deno.env.get("A");`] },
  ],
  "no-lint-ignore-without-reason": [{
    file: "tests/run/x_test.ts",
    good: [
      `// deno-lint-ignore no-console -- stdout is what is tested\nf();`,
      `// a comment about deno-lint-ignore\nf();`,
    ],
    bad: [
      `// deno-lint-ignore no-console\nf();`,
      `// deno-lint-ignore -- for no stated rule\nf();`,
      `// deno-lint-ignore-file no-console -- why\nf();`,
      `// deno-fmt-ignore\nf();`,
    ],
  }],
  "no-module-state": [{
    file: "src/run/x.ts",
    good: [`const a = 1;`, `function f() { let a = 1; }`, `for (let i = 0; i < 1; i++) f();`],
    bad: [`let a = 1;`, `export let a = 1;`, `var a;`],
  }, { file: "tests/run/x_test.ts", good: [`let a = 1;`], bad: [] }],
  "no-sync-io": [{
    file: "src/run/x.ts",
    good: [`await Deno.readTextFile("x");`, `import { readFile } from "node:fs/promises";`],
    bad: [
      `Deno.readTextFileSync("x");`,
      `const { statSync } = Deno;`,
      `import { existsSync } from "node:fs";`,
      `fs.readFileSync("x");`,
    ],
  }, { file: "scripts/x.ts", good: [`Deno.readTextFileSync("x");`], bad: [] }],
};

Deno.test("lint_plugin has a case for each of its rules", () => {
  deepEqual(Object.keys(CASES).sort(), Object.keys(plugin.rules).sort());
});

for (const [rule, cases] of Object.entries(CASES)) {
  Deno.test(`lint rule ${rule} refuses what is wrong and nothing else`, () => {
    for (const { file, good, bad } of cases) {
      for (const source of good) equal(findings(rule, file, source), 0, `refused in ${file}: ${source}`);
      for (const source of bad) equal(findings(rule, file, source), 1, `let through in ${file}: ${source}`);
    }
  });
}

function findings(rule: string, file: string, source: string): number {
  const path = fileURLToPath(new URL(`../../${file}`, import.meta.url));
  return Deno.lint.runPlugin(plugin, path, source).filter((found) => found.id === `skillz/${rule}`).length;
}
