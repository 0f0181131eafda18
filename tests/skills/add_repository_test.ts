import { deepEqual, equal, match, ok } from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { resultText } from "../../src/base/tool_result.ts";
import { needs } from "../support/needs.ts";
import { tempDir } from "../support/temp_dir.ts";
import { testApp } from "../support/test_app.ts";

const run = promisify(execFile);
const SHARED = new URL("../../../shared/skills/", import.meta.url);

interface Expected {
  name: string;
  description: string;
  bodyStartsWith: string;
}

for (const repo of ["obsidian-skills", "awesome-claude-skills"]) {
  Deno.test({
    name: `B29 add_skill_repo loads every skill of ${repo} as a YAML parser reads it`,
    ignore: needs("git") || !await isThere(new URL(`${repo}.bundle`, SHARED)),
    async fn() {
      await using dir = await tempDir();
      await using test = await testApp();
      const bare = join(dir.path, `${repo}.git`);
      await run("git", ["clone", "--quiet", "--bare", new URL(`${repo}.bundle`, SHARED).pathname, bare]);
      const expected: Expected[] = JSON.parse(
        await Deno.readTextFile(new URL(`${repo}.expected.json`, SHARED)),
      );

      const result = await test.call("add_skill_repo", { url: pathToFileURL(bare).href });

      ok(!result.isError, resultText(result));
      match(resultText(result), new RegExp(`^Added repo '${repo}' with ${expected.length} skills: `));
      const names = expected.map(({ name }) => name).sort();
      deepEqual(test.app.skills.list().map(({ name }) => name), names);
      for (const { name, description, bodyStartsWith } of expected) {
        equal(test.app.skills.get(name)?.description, description.trim(), name);
        const [contents] = await test.app.ports.resources.read(
          `skillz://skills/${encodeURIComponent(name)}`,
          (await import("../support/fake_caller.ts")).fakeContext(),
        );
        ok(contents?.text?.startsWith(bodyStartsWith), `${name}: ${contents?.text?.slice(0, 80)}`);
      }
    },
  });
}

async function isThere(url: URL): Promise<boolean> {
  return await Deno.stat(url).then(() => true, () => false);
}
