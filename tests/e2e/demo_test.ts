import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { serverEnvironment } from "../support/server.ts";
import { tempDir } from "../support/temp_dir.ts";

Deno.test("the demo answers every call right, leaves nothing behind and says so", async () => {
  await using home = await tempDir();
  await using temporary = await tempDir();
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", "demo"],
    cwd: root,
    clearEnv: true,
    env: serverEnvironment({ HOME: home.path, TMPDIR: temporary.path }),
  }).output();
  const transcript = new TextDecoder().decode(stdout);
  assert.equal(code, 0, `${transcript}\n${new TextDecoder().decode(stderr)}`);
  assert.match(transcript, /every answer was right, .* in all\n$/);
  assert.doesNotMatch(transcript, /✗/);
  const left = [];
  for await (const entry of Deno.readDir(temporary.path)) left.push(entry.name);
  assert.deepEqual(left.filter((name) => name.startsWith("skillz")), []);
});
