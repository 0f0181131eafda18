import { deepEqual, rejects } from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { findTests } from "../../../scripts/gate/find_tests.ts";
import { tempDir } from "../../support/temp_dir.ts";

Deno.test("findTests() finds test files at any depth, once each, in order", async () => {
  await using dir = await tempDir();
  await mkdir(join(dir.path, "tests/b/c"), { recursive: true });
  for (const name of ["tests/b/c/z_test.ts", "tests/a_test.ts", "tests/b/helper.ts"]) {
    await Deno.writeTextFile(join(dir.path, name), "");
  }
  deepEqual(await findTests(dir.path, ["tests", "tests/a_test.ts"]), [
    "tests/a_test.ts",
    "tests/b/c/z_test.ts",
  ]);
  deepEqual(await findTests(dir.path, ["tests/b/"]), ["tests/b/c/z_test.ts"]);
});

Deno.test("findTests() refuses to find nothing", async () => {
  await using dir = await tempDir();
  await mkdir(join(dir.path, "tests"));
  await rejects(findTests(dir.path, ["tests"]), /Cannot test tests: it holds no \*_test\.ts/);
  await rejects(findTests(dir.path, ["nowhere"]));
});
