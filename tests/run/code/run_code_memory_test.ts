import { deepEqual } from "node:assert/strict";
import { resultText } from "../../../src/base/tool_result.ts";
import { fakeCaller, fakeContext } from "../../support/fake_caller.ts";
import { needs } from "../../support/needs.ts";
import { codeApp } from "./_code_app.ts";

const WRITE = `globalThis.left = 1;
Object.prototype.left = 1;
const seen = [];
for (const path of [(Deno.env.get("TMPDIR") ?? "") + "/x", "./y"]) {
  try { seen.push(Deno.readTextFileSync(path)); } catch { seen.push("absent"); }
  try { Deno.writeTextFileSync(path, "left behind"); } catch { /* may not be written */ }
}
return seen;`;
const LOOK = `const seen = [globalThis.left ?? "absent", ({}).left ?? "absent"];
for (const path of [(Deno.env.get("TMPDIR") ?? "") + "/x", "./y"]) {
  try { seen.push(Deno.readTextFileSync(path)); } catch { seen.push("absent"); }
}
return seen;`;
const ABSENT = ["absent", "absent", "absent", "absent"];
const js = { language: "javascript" };

Deno.test("B54 run() keeps nothing for the next program, of the same session or another", async () => {
  await using app = await codeApp();
  for (const sessionId of ["one", "one", "two"]) {
    const ctx = fakeContext({ caller: fakeCaller({ sessionId }) });
    const written = await app.run(WRITE, js, ctx);
    deepEqual(written.structuredContent?.result, ["absent", "absent"], resultText(written));
    const seen = await app.run(LOOK, js, ctx);
    deepEqual(seen.structuredContent?.result, ABSENT);
  }
});

Deno.test("B54 run() hides the files of two programs at once from each other", async () => {
  await using app = await codeApp();
  const meeting = (own: string, other: string) =>
    `const folder = Deno.env.get("TMPDIR");
Deno.writeTextFileSync(folder + "/${own}", "mine");
await tools.memory({ action: "store", tool_name: "meeting", key: "${own}", value: folder });
let met;
while (!(met = await tools.memory({ action: "get", tool_name: "meeting", key: "${other}" })).found) {
  await new Promise((go) => setTimeout(go, 10));
}
const seen = [];
for (const path of [folder, met.value]) {
  try { seen.push(Deno.readTextFileSync(path + "/${other}")); } catch { seen.push("absent"); }
}
return [...seen, Deno.readTextFileSync(folder + "/${own}")];`;
  const results = await Promise.all([
    app.run(meeting("a", "b"), js),
    app.run(meeting("b", "a"), js, fakeContext({ caller: fakeCaller({ sessionId: "other" }) })),
  ]);
  for (const { structuredContent } of results) {
    deepEqual(structuredContent?.result, ["absent", "absent", "mine"]);
  }
});

Deno.test({
  name: "B54 run() keeps nothing of a Python program",
  ignore: needs("python3"),
  async fn() {
    await using app = await codeApp();
    const code = `import builtins, os
seen = [getattr(builtins, "left", "absent")]
builtins.left = 1
for path in (os.environ["TMPDIR"] + "/x", "./y"):
    try:
        seen.append(open(path).read())
    except OSError:
        seen.append("absent")
    try:
        open(path, "w").write("left behind")
    except OSError:
        pass
seen`;
    for (let round = 0; round < 3; round++) {
      const result = await app.run(code, { language: "python" });
      deepEqual(result.structuredContent?.result, ["absent", "absent", "absent"], resultText(result));
    }
  },
});
