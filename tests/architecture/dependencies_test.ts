import { deepEqual, ok } from "node:assert/strict";
import { specifiersOf } from "../support/imports.ts";
import { readSource, sourcesBelow } from "../support/repository.ts";

const { imports } = JSON.parse(await readSource("deno.json")) as { imports: Record<string, string> };

Deno.test("every package in deno.json has one exact version, and nothing else is imported by name but our own", () => {
  const versions = new Map<string, Set<string>>();
  const loose: string[] = [];
  for (const target of Object.values(imports).filter((target) => !target.startsWith("./src/"))) {
    const [, name, version = ""] =
      /^npm:((?:@[^/@]+\/)?[^/@]+)@(\d+\.\d+\.\d+[^/]*)(?:\/.+)?$/.exec(target) ?? [];
    if (name === undefined) loose.push(target);
    else versions.set(name, (versions.get(name) ?? new Set()).add(version));
  }
  deepEqual(loose, []);
  ok(versions.size > 3, "hardly a package was seen: the walk is broken");
  deepEqual([...versions].filter(([, found]) => found.size > 1), []);
});

Deno.test("every entry of the import map in deno.json is used", async () => {
  const used = new Set<string>();
  for (const folder of ["src", "tests", "scripts"]) {
    for (const file of await sourcesBelow(folder)) {
      const source = await readSource(file);
      for (const specifier of specifiersOf(source)) used.add(specifier);
      // A program that is run rather than imported takes its version from here.
      for (const [, name = ""] of source.matchAll(/\.imports\["([^"]+)"\]/g)) used.add(name);
    }
  }
  ok(used.has("zod"), "no import of zod was seen: the walk is broken");
  const isUsed = (name: string) =>
    used.has(name) || [...used].some((specifier) => specifier.startsWith(`${name}/`));
  deepEqual(Object.keys(imports).filter((name) => !isUsed(name)), []);
});

Deno.test("ARCHITECTURE.md gives a reason for every package that src uses", async () => {
  const text = await readSource(".github/ARCHITECTURE.md");
  const packages = new Set<string>();
  for (const file of await sourcesBelow("src")) {
    for (const specifier of specifiersOf(await readSource(file))) {
      const name = /^(@[^/]+\/[^/]+|[^@./:][^/:]*)/.exec(
        imports[specifier]?.startsWith("npm:") ? specifier : "",
      )?.[1];
      if (name) packages.add(name);
    }
  }
  ok(packages.size > 3, "hardly a package was seen: the walk is broken");
  deepEqual([...packages].filter((name) => !text.includes(`\`${name}\``)), []);
});
