import { deepEqual, ok } from "node:assert/strict";
import { readSource, sourcesBelow } from "../support/repository.ts";

/** Longest file, in lines. There is no list of exceptions. */
const MOST = 300;

Deno.test(`no file has more than ${MOST} lines`, async () => {
  const files = [
    ...await sourcesBelow("src"),
    ...await sourcesBelow("tests"),
    ...await sourcesBelow("scripts"),
  ];
  ok(files.length > 50, `only ${files.length} files were seen: the walk is broken`);
  const long: string[] = [];
  for (const file of ["main.ts", ...files]) {
    const lines = (await readSource(file)).split("\n").length - 1;
    if (lines > MOST) long.push(`${file}: ${lines} lines`);
  }
  deepEqual(long, []);
});

Deno.test("files are named in snake_case after what they export", async () => {
  const files = [
    ...await sourcesBelow("src"),
    ...await sourcesBelow("tests"),
    ...await sourcesBelow("scripts"),
  ];
  deepEqual(files.filter((file) => !/^[a-z0-9_/]+(\.d)?\.ts$/.test(file)), []);
});
