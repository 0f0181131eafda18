import { deepEqual } from "node:assert/strict";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { Bus } from "../../src/base/bus.ts";
import { findFolders } from "../../src/cli/check/find_folders.ts";
import { RESERVED_NAMES } from "../../src/cli/reserved_names.ts";
import { checkFolder } from "../../src/tools/check_folder.ts";
import { openToolStore } from "../../src/tools/open_tool_store.ts";
import { tempDir } from "../support/temp_dir.ts";

const manifest = (name: string, more: Record<string, unknown> = {}) =>
  JSON.stringify({
    name,
    description: "What it does",
    tool_type: "script",
    interpreter: "bash",
    entry_file: "run.sh",
    input_schema: { type: "object", properties: {} },
    permissions: {},
    ...more,
  });

Deno.test("check-tools finds an error in every folder that the server does not load, and in no other", async () => {
  await using dir = await tempDir();
  const write = async (folder: string, text: string) => {
    await mkdir(join(dir.path, folder));
    await writeFile(join(dir.path, folder, "manifest.json"), text);
    await writeFile(join(dir.path, folder, "run.sh"), "echo");
  };
  for (const name of ["fine", "call_tool", "dev", "memory"]) await write(name, manifest(name));
  await write("two words", manifest("two words"));
  await write("other_name", manifest("someone_else"));
  await write("no_json", "{");
  await write("no_object", "[]");
  await write("no_entry", manifest("no_entry", { entry_file: "gone.sh" }));
  await write("outside", manifest("outside", { entry_file: "../fine/run.sh" }));
  await write("no_language", manifest("no_language", { interpreter: undefined, entry_file: "run" }));
  await mkdir(join(dir.path, "empty"));
  await symlink(join(dir.path, "nowhere"), join(dir.path, "dangling"));
  await symlink(join(dir.path, "fine"), join(dir.path, "linked"));
  await writeFile(join(dir.path, "notes.txt"), "no folder");
  await using store = openToolStore({ toolsDir: dir.path, bus: new Bus(), reservedNames: RESERVED_NAMES });
  await store.load();
  const broken = store.broken().map(({ folder, reason }) => [folder, reason]);
  const checked: string[][] = [];
  const found = await findFolders([dir.path], { mayBeEmpty: false });
  for (const path of found.checked) {
    const { findings } = await checkFolder(path, { reservedNames: RESERVED_NAMES });
    const [error] = findings.filter(({ level }) => level === "error");
    if (error) checked.push([basename(path), error.message]);
  }
  deepEqual(checked.map(([folder]) => folder), broken.map(([folder]) => folder));
  const reason = (told: string[][], name: string) => told.find(([folder]) => folder === name)?.[1];
  for (const name of ["call_tool", "dev", "dangling", "linked", "empty"]) {
    deepEqual(reason(checked, name), reason(broken as string[][], name));
  }
  deepEqual(store.list().map(({ name }) => name), ["fine"]);
});
