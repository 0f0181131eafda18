import { equal } from "node:assert/strict";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isInside, isReallyInside } from "../../src/base/path_inside.ts";
import { tempDir } from "../support/temp_dir.ts";

Deno.test("isInside() takes the folder and what lies below it, and nothing else", () => {
  for (const path of ["/a/b", "/a/b/", "/a/b/c", "/a/b/..c", "/a/b/c/../d"]) {
    equal(isInside("/a/b", path), true, path);
  }
  for (const path of ["/a", "/", "/a/bc", "/a/b/..", "/a/b/../c", "/x"]) {
    equal(isInside("/a/b", path), false, path);
  }
  equal(isInside("/", "/x"), true);
});

Deno.test("isReallyInside() follows links", async () => {
  await using dir = await tempDir();
  const [inner, outer] = [join(dir.path, "inner"), join(dir.path, "outer")];
  await mkdir(inner);
  await mkdir(outer);
  await writeFile(join(outer, "file"), "x");
  await writeFile(join(inner, "file"), "x");
  await symlink(outer, join(inner, "out"));
  await symlink(inner, join(outer, "in"));
  equal(await isReallyInside(inner, join(inner, "file")), true);
  equal(await isReallyInside(inner, join(outer, "in", "file")), true);
  equal(await isReallyInside(inner, join(inner, "out", "file")), false);
  equal(await isReallyInside(inner, join(inner, "none")), false);
});
