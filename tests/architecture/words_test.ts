import { deepEqual, ok } from "node:assert/strict";
import { readSource, trackedFiles } from "../support/repository.ts";

/** Words that tie the repository to one machine or one registry. Written in pieces, so that this file passes too. */
const FORBIDDEN: Readonly<Record<string, RegExp>> = {
  "host of a package registry": new RegExp(
    ["npmjs", "yarnpkg", "pypi", "pythonhosted", "crates", "rubygems"].map((host) =>
      `\\b${host}\\.(org|com|io)`
    )
      .join("|"),
    "i",
  ),
  "path of one machine": new RegExp(`(?<![\\w.$}/-])/(${["work", "root", "Users"].join("|")})/`),
};

/** The lock names where packages came from, and installers where they may fetch them: that is their purpose. */
const EXEMPT = /^(deno\.lock|(src|tests)\/install\/.*)$/;

Deno.test("no tracked file names a package registry's host or a path of one machine", async () => {
  const files = (await trackedFiles()).filter((file) => !EXEMPT.test(file));
  ok(files.length > 50, `only ${files.length} files were seen: the walk is broken`);
  const found: string[] = [];
  for (const file of files) {
    const lines = (await readSource(file).catch(() => "")).split("\n");
    for (const [what, pattern] of Object.entries(FORBIDDEN)) {
      const at = lines.findIndex((line) => pattern.test(line));
      if (at >= 0) found.push(`${file}:${at + 1}: ${what}`);
    }
  }
  deepEqual(found, []);
});
