import { deepEqual, equal, notEqual } from "node:assert/strict";
import { join } from "node:path";
import { createProgramTools } from "../../../src/run/code/program_tool.ts";
import { tempDir } from "../../support/temp_dir.ts";

Deno.test("createProgramTools() gives the same object for the same permissions, so that a process can stand ready", async () => {
  await using dir = await tempDir();
  const programs = createProgramTools([dir.path]);
  const [typescript, again, javascript] = await Promise.all([
    programs.get("typescript", {}),
    programs.get("typescript", {}),
    programs.get("javascript", {}),
  ]);
  equal(typescript, again);
  equal(typescript, javascript);
  const granted = await programs.get("typescript", { net: ["example.com"] });
  notEqual(granted, typescript);
  notEqual(granted.hash, typescript.hash);
  equal(granted, await programs.get("typescript", { net: ["example.com"] }));
  notEqual(await programs.get("python", {}), typescript);
});

Deno.test("createProgramTools() grants exactly what is asked for, and no secrets", async () => {
  await using dir = await tempDir();
  const { manifest } = await createProgramTools([dir.path]).get("python", {});
  deepEqual(manifest.permissions, {});
  equal(manifest.limits.memory_mb, 512);
});

Deno.test("createProgramTools() mends a script that is not as it should be", async () => {
  await using dir = await tempDir();
  const { directory, manifest } = await createProgramTools([dir.path]).get("python", {});
  const path = join(directory, manifest.entry_file ?? "");
  const text = await Deno.readTextFile(path);
  await Deno.writeTextFile(path, "print('something else')");
  await createProgramTools([dir.path]).get("python", {});
  equal(await Deno.readTextFile(path), text);
});
