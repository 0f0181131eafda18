import assert from "node:assert/strict";
import { loadBundles } from "../../src/skills/bundles.ts";
import { tempDir } from "../support/temp_dir.ts";

Deno.test("loadBundles() has @dev-full without any file", async () => {
  await using dir = await tempDir();
  const { bundles, problems } = await loadBundles([
    `${dir.path}/bundles.json`,
    `${dir.path}/no/folder/bundles.json`,
  ]);
  assert.deepEqual(bundles["@dev-full"], ["dev", "sys", "memory"]);
  assert.deepEqual(problems, []);
});

Deno.test("loadBundles() lets the first file win and adds a missing @", async () => {
  await using dir = await tempDir();
  await Deno.writeTextFile(`${dir.path}/one.json`, '\uFEFF{"@a": ["x"], "b": ["y"]}');
  await Deno.writeTextFile(`${dir.path}/two.json`, '{"@a": ["z"], "@c": []}');
  const { bundles } = await loadBundles([`${dir.path}/one.json`, `${dir.path}/two.json`]);
  assert.deepEqual([bundles["@a"], bundles["@b"], bundles["@c"]], [["x"], ["y"], []]);
});

Deno.test("loadBundles() reports broken files and members and keeps the rest", async () => {
  await using dir = await tempDir();
  await Deno.writeTextFile(`${dir.path}/one.json`, "{ nonsense");
  await Deno.writeTextFile(`${dir.path}/two.json`, '{"@a": "dev", "@b": ["dev", 1], "@ok": ["dev"]}');
  await Deno.writeTextFile(`${dir.path}/three.json`, "[1]");
  const paths = ["one", "two", "three"].map((name) => `${dir.path}/${name}.json`);
  const { bundles, problems } = await loadBundles(paths);
  assert.deepEqual(bundles["@ok"], ["dev"]);
  assert.equal(bundles["@a"], undefined);
  assert.equal(problems.length, 4);
  assert.match(problems.join("\n"), /one\.json: it is not valid JSON/);
});
