import assert from "node:assert/strict";
import { SkillzError } from "../../src/base/errors.ts";
import { paginate, type PaginateOptions } from "../../src/mcp/paginate.ts";

const names = (count: number) => Array.from({ length: count }, (_, n) => `item-${n}`);
const options = (cursor?: string): PaginateOptions<string> => ({
  cursor,
  list: "things",
  keyOf: (item) => item,
  pageSize: 10,
});

function readAll(all: readonly string[]): string[] {
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = paginate(all, options(cursor));
    seen.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return seen;
}

Deno.test("paginate() gives every entry once, in order, at every length", () => {
  for (const count of [0, 1, 9, 10, 11, 20, 35]) assert.deepEqual(readAll(names(count)), names(count));
});

Deno.test("paginate() gives no cursor with the last page", () => {
  assert.equal(paginate(names(10), options()).nextCursor, undefined);
  assert.notEqual(paginate(names(11), options()).nextCursor, undefined);
});

Deno.test("paginate() goes on in the right place when the list changed before it", () => {
  const first = paginate(names(20), options());
  const grown = ["new-a", "new-b", ...names(20)];
  assert.deepEqual(paginate(grown, options(first.nextCursor)).items, names(20).slice(10));
  const shrunk = names(20).slice(3);
  assert.deepEqual(paginate(shrunk, options(first.nextCursor)).items, names(20).slice(10));
});

Deno.test("paginate() goes on near the place when the last entry sent was removed", () => {
  const first = paginate(names(20), options());
  const without = names(20).filter((name) => name !== "item-9");
  assert.deepEqual(paginate(without, options(first.nextCursor)).items, names(20).slice(11));
});

Deno.test("paginate() refuses cursors that it did not give", () => {
  const other = paginate(names(20), { ...options(), list: "others" }).nextCursor;
  const forged = [btoa('["things",-1,"x"]'), btoa('["things",1.5,"x"]'), btoa('["things",1]'), btoa("[]")];
  for (const cursor of ["", "x", "öäü", "a".repeat(100_000), "eyJ9", other, ...forged]) {
    assert.throws(
      () => paginate(names(20), options(cursor)),
      (error) => error instanceof SkillzError && error.code === "invalid_input",
    );
  }
});
