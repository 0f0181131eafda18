import { mkdir, readFile, realpath, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { atomicWrite } from "../base/atomic_write.ts";
import { errorText, SkillzError } from "../base/errors.ts";
import type { Config } from "../config/config.ts";
import { type ServerEntry, withServerEntry } from "./editor_entry.ts";
import { type EditorConfig, EDITORS, isEditorName } from "./editors.ts";
import { writeOutput } from "./output.ts";
import { ownCommand } from "./own_command.ts";

/** `skillz install EDITOR`: writes this program into the editor's MCP configuration. */
export async function installInEditor({ editor }: { editor: string }, config: Config): Promise<number> {
  if (!isEditorName(editor)) {
    const known = Object.keys(EDITORS).join(", ");
    throw new SkillzError(
      "invalid_input",
      `Cannot install in "${editor}": it is not known, known are ${known}`,
    );
  }
  const place = EDITORS[editor]({ home: config.home, cwd: Deno.cwd(), os: Deno.build.os });
  try {
    await addEntry(place, config);
  } catch (error) {
    if (error instanceof SkillzError) throw error;
    throw new SkillzError("unavailable", `Cannot add Skillz to ${place.path}: ${errorText(error)}`, {
      cause: error,
    });
  }
  await writeOutput(`Added Skillz to ${place.path}. Restart ${editor} to use it.\n`);
  return 0;
}

/** A file that people keep elsewhere and link to stays there, and one with secrets in it stays private. */
async function addEntry(place: EditorConfig, config: Config): Promise<void> {
  const path = await realpath(place.path).catch(() => place.path);
  await mkdir(dirname(path), { recursive: true });
  const before = await readFile(path, "utf8").catch((error) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  const entry: ServerEntry = { ...ownCommand(), env: { TOOLS_DIR: config.toolsDir } };
  const text = await withServerEntry(before ?? "", { config: place, entry });
  await atomicWrite(path, text, before === undefined ? {} : { mode: (await stat(path)).mode & 0o777 });
}
