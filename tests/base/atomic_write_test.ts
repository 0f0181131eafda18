import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { atomicWrite } from "../../src/base/atomic_write.ts";
import { tempDir } from "../support/temp_dir.ts";

Deno.test("atomicWrite() writes texts and bytes, new and in place of old ones", async () => {
  await using dir = await tempDir();
  const path = join(dir.path, "file");
  await atomicWrite(path, "ä");
  equal(await readFile(path, "utf8"), "ä");
  await atomicWrite(path, new Uint8Array([0, 255]), { sync: false });
  deepEqual([...await readFile(path)], [0, 255]);
  deepEqual(await readdir(dir.path), ["file"]);
});

Deno.test(
  "atomicWrite() gives the permission bits asked for",
  { ignore: Deno.build.os === "windows" },
  async () => {
    await using dir = await tempDir();
    const path = join(dir.path, "file");
    await atomicWrite(path, "x", { mode: 0o600 });
    equal((await stat(path)).mode & 0o777, 0o600);
  },
);

Deno.test("atomicWrite() leaves nothing behind, and the old file whole, when it fails", async () => {
  await using dir = await tempDir();
  await mkdir(join(dir.path, "folder", "full"), { recursive: true });
  await rejects(atomicWrite(join(dir.path, "folder"), "x"));
  deepEqual(await readdir(dir.path), ["folder"]);
  await rejects(atomicWrite(join(dir.path, "none", "file"), "x"), Deno.errors.NotFound);
});

Deno.test("atomicWrite() shows readers whole files only", async () => {
  await using dir = await tempDir();
  const path = join(dir.path, "file");
  const texts = ["a".repeat(300_000), "b".repeat(200_000)];
  await writeFile(path, texts[0] ?? "");
  let writing = true;
  const reader = async () => {
    let reads = 0;
    while (writing) {
      const text = await readFile(path, "utf8");
      ok(texts.includes(text), `a file of ${text.length} characters was seen`);
      reads++;
    }
    return reads;
  };
  const reads = reader();
  for (let index = 0; index < 30; index++) {
    await Promise.all(texts.map((text) => atomicWrite(path, text, { sync: false })));
  }
  writing = false;
  ok(await reads > 0);
  deepEqual(await readdir(dir.path), ["file"]);
});
