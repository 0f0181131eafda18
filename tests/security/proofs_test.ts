import assert from "node:assert/strict";
import { readSource } from "../support/repository.ts";
import { PROOFS } from "./proofs.ts";
import { checkDocs } from "./tables.ts";

/** The names of tests in a source text, templates as they are written. */
function testNames(source: string): string[] {
  const start = /(?:Deno\.test\(|\bname:)\s*(["'`])/g;
  return [...source.matchAll(start)].map(({ 0: all, 1: quote = "", index }) => {
    const from = index + all.length;
    const to = source.indexOf(quote, from);
    return source.slice(from, to);
  });
}

Deno.test("every attack that docs/security.md says is made elsewhere has its test", async () => {
  const missing: string[] = [];
  for (const { file, test } of PROOFS) {
    const names = testNames(await readSource(`tests/${file}`));
    if (!names.some((name) => name.includes(test))) missing.push(`${file}: ${test}`);
  }
  assert.deepEqual(missing, []);
  assert.deepEqual(testNames('Deno.test("a b", f); Deno.test({ name:\n `${c} d` })'), ["a b", "${c} d"]);
});

Deno.test("docs/security.md has the table of other attacks as it is (SKILLZ_UPDATE_DOCS=1 writes it)", async () => {
  const rows = PROOFS.map(({ what, file }) => `| ${what} | [${file}](../tests/${file}) |`);
  await checkDocs("proofs", ["| attack | made in |", "| --- | --- |", ...rows].join("\n"));
});
