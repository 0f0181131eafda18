import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { atomicWrite } from "../base/atomic_write.ts";
import { SkillzError } from "../base/errors.ts";
import type { Config } from "../config/config.ts";
import { type ServerEntry, withServerEntry } from "./editor_entry.ts";
import { EDITORS, isEditorName } from "./editors.ts";
import { writeOutput } from "./output.ts";

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
  const before = await readFile(place.path, "utf8").catch((error) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  await atomicWrite(place.path, await withServerEntry(before, { config: place, entry: ownEntry(config) }));
  await writeOutput(`Added Skillz to ${place.path}. Restart ${editor} to use it.\n`);
  return 0;
}

/** How this very program is started again. */
function ownEntry({ toolsDir }: Config): ServerEntry {
  const env = { TOOLS_DIR: toolsDir };
  if (Deno.build.standalone) return { command: Deno.execPath(), args: [], env };
  const script = Deno.mainModule.startsWith("file:") ? fileURLToPath(Deno.mainModule) : "jsr:@skillz/server";
  return { command: Deno.execPath(), args: ["run", "-A", script], env };
}
