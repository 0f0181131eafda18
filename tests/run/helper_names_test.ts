import assert from "node:assert/strict";
import { readSource } from "../support/repository.ts";

/** The block of the guide behind the words that name a language, as calls: `memory.get(key, default=None)`. */
async function listed(words: string): Promise<string[]> {
  const guide = await readSource("src/guide/guide.md");
  const block = guide.slice(guide.indexOf(words)).split("```text\n")[1]?.split("```")[0] ?? "";
  const calls = block.split(/\s{4,}|\n/).map((call) => call.trim()).filter((call) => call.includes("("));
  assert.ok(calls.length >= 11, `only ${calls.join()} behind ${words}`);
  return calls;
}

const lastName = (call: string) => /(\w+)\(/.exec(call)?.[1] ?? "";

Deno.test("the guide lists the Python library as it is", async () => {
  const source = (await readSource("src/run/script/helpers/skillz.py")).replaceAll("(self, ", "(")
    .replaceAll("(self)", "()");
  const calls = await listed("Python:\n");
  for (const call of calls) assert.ok(source.includes(`def ${call.slice(call.indexOf(".") + 1)}:`), call);
  const exported = [...(/__all__ = \[([^\]]*)\]/.exec(source)?.[1] ?? "").matchAll(/"([a-z]\w*)"/g)];
  const names = calls.flatMap((call) => call.split(/[.(]/));
  const rest = exported.map(([, name = ""]) => name).filter((name) => !names.includes(name));
  assert.deepEqual(rest.sort(), ["context", "request", "run", "tool"]);
});

Deno.test("the guide lists the TypeScript library as it is", async () => {
  const source = await readSource("src/run/script/helpers/skillz.ts");
  const declared = source.slice(source.indexOf("interface Skillz {"), source.indexOf("\n}\n\n// stdout"));
  for (const call of await listed("TypeScript and JavaScript; all")) {
    const given = /\(([^)]*)\)/.exec(call)?.[1] ?? "";
    const found = [...declared.matchAll(new RegExp(`\\b${lastName(call)}(?:<[^>]*>)?\\(([^)]*)\\)`, "g"))];
    const names = found.map(([, params = ""]) =>
      [...params.matchAll(/(?:^|,)\s*(\w+\??):/g)].map(([, name]) => name).join(", ")
    );
    assert.ok(names.includes(given), `${call}: ${names.join(" | ")}`);
  }
});

Deno.test("the guide lists the Ruby library as it is", async () => {
  const source = await readSource("src/run/script/helpers/skillz.rb");
  for (const call of await listed("Ruby, each after")) {
    assert.ok(source.includes(`def ${call.slice(call.indexOf(".") + 1)}\n`), call);
  }
});

Deno.test("the guide lists the shell library as it is", async () => {
  const source = await readSource("src/run/script/helpers/skillz.sh");
  const guide = await readSource("src/guide/guide.md");
  const block = guide.slice(guide.indexOf("bash and sh:")).split("```text\n")[1]?.split("```")[0] ?? "";
  const head = source.split("\n").map((line) => line.replace(/^# {3}/, "").trimEnd());
  const lines = block.trimEnd().split("\n");
  for (const line of lines) assert.ok(head.includes(line), line);
  const defined = [...source.matchAll(/^(skillz_\w+)\(\)/gm)].map(([, name = ""]) => name);
  assert.ok(defined.length >= 20);
  for (const name of defined) assert.match(block, new RegExp(`\\b${name}\\b`));
});
