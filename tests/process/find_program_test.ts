import { equal } from "node:assert/strict";
import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findProgram } from "../../src/process/find_program.ts";
import { tempDir } from "../support/temp_dir.ts";

async function program(folder: string, name: string, mode = 0o755): Promise<string> {
  const path = join(folder, name);
  await mkdir(folder, { recursive: true });
  await writeFile(path, "#!/bin/sh\n");
  await chmod(path, mode);
  return path;
}

Deno.test("findProgram() takes the first executable file on PATH", async () => {
  await using dir = await tempDir();
  const [one, two, three] = ["1", "2", "3"].map((name) => join(dir.path, name));
  await program(one ?? "", "tool", 0o644);
  await mkdir(join(two ?? "", "tool"), { recursive: true });
  const wanted = await program(three ?? "", "tool");
  equal(await findProgram("tool", `/no/such:${one}:${two}:${three}`), wanted);
  equal(await findProgram("other", `${one}:${three}`), undefined);
});

Deno.test("findProgram() takes absolute paths, and follows links", async () => {
  await using dir = await tempDir();
  const real = await program(dir.path, "real");
  const link = join(dir.path, "link");
  await symlink(real, link);
  equal(await findProgram(link, ""), link);
  equal(await findProgram(join(dir.path, "none"), ""), undefined);
});

Deno.test("findProgram() never takes a program of the current folder for a name", async () => {
  equal(await findProgram("deno.json", ":.:src"), undefined);
  equal(await findProgram("", "/usr/bin"), undefined);
  equal(await findProgram("a\0b", "/usr/bin"), undefined);
});
