import { deepEqual, equal } from "node:assert/strict";
import { chmod, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createPolicyMemory } from "../../src/sandbox/policy_memory.ts";
import { tempDir } from "../support/temp_dir.ts";

const entry = (host: string) => ({ hash: "h", permissions: { net: [host] }, imported: false });

Deno.test("createPolicyMemory() remembers in a file that only its owner reads", async () => {
  await using dir = await tempDir();
  const path = join(dir.path, "sub", ".policy.json");
  const memory = createPolicyMemory(path);
  equal(await memory.get("t"), undefined);
  await memory.set("t", entry("a.example"));
  deepEqual(await memory.get("t"), entry("a.example"));
  deepEqual(await createPolicyMemory(path).get("t"), entry("a.example"));
  equal((await stat(path)).mode & 0o777, 0o600);
  await memory.remove("t");
  await memory.remove("t");
  equal(await memory.get("t"), undefined);
});

Deno.test("createPolicyMemory() sees what another server wrote, and loses nothing of it", async () => {
  await using dir = await tempDir();
  const path = join(dir.path, ".policy.json");
  const servers = [createPolicyMemory(path), createPolicyMemory(path)] as const;
  await Promise.all(
    Array.from({ length: 20 }, (_, i) => servers[i % 2 ? 1 : 0].set(`tool${i}`, entry(`h${i}.example`))),
  );
  for (let i = 0; i < 20; i++) {
    for (const server of servers) deepEqual(await server.get(`tool${i}`), entry(`h${i}.example`));
  }
  deepEqual((await readdir(dir.path)).sort(), [".policy.json", ".policy.json.lock"]);
});

for (
  const text of ["", "{", "[]", '{"tools": 1}', '{"tools": {"t": 1}}', '{"tools": {"t": {"permissions": 3}}}']
) {
  Deno.test(`createPolicyMemory() takes ${JSON.stringify(text)} for nothing confirmed`, async () => {
    await using dir = await tempDir();
    const path = join(dir.path, ".policy.json");
    await writeFile(path, text);
    const memory = createPolicyMemory(path);
    deepEqual((await memory.get("t"))?.permissions ?? {}, {});
    await memory.set("u", entry("a.example"));
    deepEqual(await memory.get("u"), entry("a.example"));
    JSON.parse(await readFile(path, "utf8"));
    await chmod(path, 0o600);
  });
}
