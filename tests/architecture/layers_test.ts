import { deepEqual, equal, ok } from "node:assert/strict";
import { LAYERS } from "../../scripts/layers.ts";
import { findCycle, importGraph, specifiersOf } from "../support/imports.ts";
import { readSource, sourcesBelow } from "../support/repository.ts";

const files = await sourcesBelow("src");
const graph = await importGraph(files);

Deno.test("src imports only downwards, as the table of layers says", () => {
  let crossings = 0;
  const wrong: string[] = [];
  for (const [file, targets] of graph) {
    const layer = file.split("/")[1] ?? "";
    for (const target of targets) {
      const [top, wanted = ""] = target.split("/");
      // The command that writes editors' configurations names main.ts, it does not import it.
      if (!target.endsWith(".ts") || target === "main.ts") continue;
      if (top === "src" && wanted === layer) continue;
      crossings++;
      if (top !== "src" || !LAYERS[layer]?.includes(wanted)) wrong.push(`${file} -> ${target}`);
    }
  }
  deepEqual(wrong, []);
  ok(crossings >= 20, `only ${crossings} imports between folders were seen: the walk is broken`);
});

Deno.test("every folder of src has a row in the table of layers", () => {
  const folders = new Set(files.map((file) => file.split("/")[1] ?? ""));
  deepEqual([...folders].filter((folder) => !(folder in LAYERS)), []);
});

Deno.test("the table of layers knows no cycle and no unknown folder", () => {
  equal(findCycle(new Map(Object.entries(LAYERS))), undefined);
  deepEqual(Object.values(LAYERS).flat().filter((name) => !(name in LAYERS)), []);
});

Deno.test("no file of src imports itself by a detour", async () => {
  equal(findCycle(await importGraph(files, { values: true }))?.join(" -> "), undefined);
});

Deno.test("src has no barrel: a name is imported from the file that defines it", async () => {
  const barrels: string[] = [];
  for (const file of files) {
    if (/\/(mod|index)\.ts$/.test(file)) barrels.push(file);
    if (/^export\b[\w$\s{},*]*\bfrom\s*["']/m.test(await readSource(file))) barrels.push(file);
  }
  deepEqual(barrels, []);
});

Deno.test("nothing is excused from the layers", async () => {
  const excused: string[] = [];
  for (const file of [...files, "main.ts"]) {
    if (/deno-lint-ignore.*skillz\/layers/.test(await readSource(file))) excused.push(file);
  }
  deepEqual(excused, []);
});

Deno.test("main.ts reaches src through the command line only", async () => {
  const targets = specifiersOf(await readSource("main.ts"));
  ok(targets.length > 0, "main.ts imports nothing");
  deepEqual(targets.filter((target) => !target.startsWith("./src/cli/")), []);
});

Deno.test("ARCHITECTURE.md has the table of layers, row by row", async () => {
  const text = await readSource(".github/ARCHITECTURE.md");
  const rows = [...text.matchAll(/^\| `(\w+)` +\|[^|]+\|([^|]+)\|$/gm)].map(([, folder = "", cell = ""]) => {
    const imports = cell.trim();
    if (imports === "all") return [folder, Object.keys(LAYERS).filter((name) => name !== folder)];
    return [folder, imports === "–" ? [] : imports.split(", ")];
  });
  deepEqual(Object.fromEntries(rows), LAYERS);
});
