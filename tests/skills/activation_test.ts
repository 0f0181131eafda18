import assert from "node:assert/strict";
import { resolveActivation } from "../../src/skills/activation.ts";
import type { SkillCatalog, SkillEntry } from "../../src/skills/catalog.ts";
import { SkillzError } from "../../src/base/errors.ts";

function catalog(requires: Record<string, string[]>): SkillCatalog {
  const entries = Object.entries(requires).map(([name, needs]): SkillEntry => ({
    name,
    kind: "tool",
    description: name,
    requires: needs,
  }));
  return { find: (name) => entries.find((entry) => entry.name === name), list: () => entries };
}

Deno.test("resolveActivation() puts requirements before the skill, each once", () => {
  const sources = { catalog: catalog({ a: ["b", "c"], b: ["c"], c: [] }), bundles: {} };
  assert.deepEqual(resolveActivation("a", sources), { skills: ["c", "b", "a"], problems: [] });
});

Deno.test("resolveActivation() reports a cycle and still activates its members", () => {
  const { skills, problems } = resolveActivation("a", {
    catalog: catalog({ a: ["b"], b: ["a"] }),
    bundles: {},
  });
  assert.deepEqual(skills, ["b", "a"]);
  assert.deepEqual(problems, ['"a" requires itself: a → b → a']);
});

Deno.test("resolveActivation() follows bundles in bundles and reports bad members", () => {
  const bundles = { "@all": ["a", "nothing", "@more", "@none"], "@more": ["b"] };
  const { skills, problems } = resolveActivation("@all", { catalog: catalog({ a: [], b: [] }), bundles });
  assert.deepEqual(skills, ["a", "b"]);
  assert.deepEqual(problems, [
    'Bundle "@all" names unknown skill "nothing"',
    'Bundle "@all" names unknown bundle "@none"',
  ]);
});

Deno.test("resolveActivation() names what exists when the name is unknown", () => {
  for (const name of ["nope", "@nope", "__proto__", "@constructor", ""]) {
    assert.throws(
      () => resolveActivation(name, { catalog: catalog({ a: [] }), bundles: { "@x": ["a"] } }),
      (error) =>
        error instanceof SkillzError && error.code === "not_found" && error.hint === "There are: @x, a",
    );
  }
});
