import assert from "node:assert/strict";
import { posix } from "node:path";
import { readSource } from "../support/repository.ts";

/** Files that a server over stdio reads before it answers `initialize`: main.ts, serve.ts and what they import. */
async function startPath(): Promise<Map<string, string>> {
  const sources = new Map<string, string>();
  const waiting = ["main.ts", "src/cli/serve.ts"];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (sources.has(file)) continue;
    const source = await readSource(file);
    sources.set(file, source);
    if (!file.endsWith(".ts")) continue;
    for (const match of source.matchAll(/^import (?!type\b)(?:(\{[^}]*\})[^"]*from )?"([^"]+)"/gm)) {
      const names = match[1]?.replace(/[{}]/g, "").split(",").map((name) => name.trim()).filter(Boolean) ??
        [];
      const onlyTypes = names.length > 0 && names.every((name) => name.startsWith("type "));
      const specifier = match[2] ?? "";
      if (!onlyTypes && specifier.startsWith(".")) waiting.push(posix.join(posix.dirname(file), specifier));
    }
  }
  return sources;
}

Deno.test("what is read before the first answer is small and loads no package", async () => {
  const sources = await startPath();
  assert.ok(sources.has("src/transport/stdio/serve_stdio.ts"), "the walk found nothing");
  assert.ok(sources.size <= 35, `${sources.size} files are read before the first answer`);
  for (const [file, source] of sources) {
    const code = source.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
    for (const [, specifier] of code.matchAll(/^import (?!type\b)[^"]*"([^"]+)"/gm)) {
      assert.match(specifier ?? "", /^(?:\.|node:(?:path|util)$)/, `${file} imports ${specifier}`);
    }
    // A literal import() is read at the start as well; `typeof import()` is a type.
    const literal = /(?<!typeof )\bimport\(\s*"(?!node:)[^"]+"/.exec(code);
    assert.equal(literal, null, `${file} has ${literal?.[0]}, use loadLate`);
  }
});
