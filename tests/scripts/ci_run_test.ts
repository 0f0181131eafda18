import { deepEqual, equal, ok } from "node:assert/strict";
import { readSource, sourcesBelow } from "../support/repository.ts";

const script = await readSource(".ci/run");

Deno.test(".ci/run requires every program and component that a test asks for, so that nothing is skipped", async () => {
  const required = /SKILLZ_TEST_REQUIRE=([^\s$]+)/.exec(script)?.[1]?.split(",") ?? [];
  required.push(...[...script.matchAll(/optional=,(\S+)/g)].map(([, name = ""]) => name));
  const asked = new Set<string>();
  for (const file of (await sourcesBelow("tests")).filter((file) => file.endsWith("_test.ts"))) {
    // What a name is compared with is no name that is asked for.
    const source = (await readSource(file)).replaceAll(/[!=]== *"[^"]*"/g, "");
    for (const [, names = ""] of source.matchAll(/\bneeds\(([^()]*)\)/g)) {
      for (const [, name = ""] of names.matchAll(/"([^"]+)"/g)) asked.add(name);
    }
  }
  ok(asked.size >= 3, `only ${asked.size} names were found: the walk is broken`);
  deepEqual([...asked].filter((name) => !required.includes(name)), []);
});

Deno.test(".ci/run ends with the test command of the README", async () => {
  const last = script.trim().split("\n").at(-1) ?? "";
  const version = /DENO=(deno@[\d.]+)/.exec(script)?.[1] ?? "";
  equal(last, 'exec npx -y "$DENO" task test');
  ok((await readSource("README.md")).includes(`npx -y ${version} task test`));
});
