import { equal } from "node:assert/strict";
import { isInside } from "../../src/base/is_inside.ts";

Deno.test("isInside() takes the folder and what lies below it, and nothing else", () => {
  for (const path of ["/a/b", "/a/b/", "/a/b/c", "/a/b/..c", "/a/b/c/../d"]) {
    equal(isInside(path, "/a/b"), true, path);
  }
  for (const path of ["/a", "/", "/a/bc", "/a/b/..", "/a/b/../c", "/x"]) {
    equal(isInside(path, "/a/b"), false, path);
  }
  equal(isInside("/x", "/"), true);
});
