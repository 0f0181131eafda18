import { deepEqual } from "node:assert/strict";
import { findTests } from "../../../scripts/gate/find_tests.ts";
import { SLOW, slowFirst } from "../../../scripts/gate/slow_first.ts";
import { ROOT } from "../../support/repository.ts";

Deno.test("slowFirst() puts the slow files first, all of which exist, and leaves out none", async () => {
  const files = await findTests(ROOT, ["tests"]);
  deepEqual(SLOW.filter((file) => !files.includes(file)), []);
  deepEqual(slowFirst(files), [...SLOW, ...files.filter((file) => !SLOW.includes(file))]);
});
