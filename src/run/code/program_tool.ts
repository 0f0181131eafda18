import { mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { atomicWrite } from "../../base/atomic_write.ts";
import { sha256 } from "../../base/hash.ts";
import type { Permissions } from "../../sandbox/permissions.ts";
import { inFirstWritable } from "../../tools/first_writable.ts";
import { parseManifest } from "../../tools/manifest.ts";
import type { Tool } from "../../tools/tool.ts";
import pythonProgram from "./programs/program.py" with { type: "text" };
import typescriptProgram from "./programs/program.ts" with { type: "text" };

/** The name under which programs run, in chains of calls and in the audit. */
export const CODE_TOOL_NAME = "execute_code";

/** Longest time that a program may ask for, in milliseconds. */
export const MAX_PROGRAM_MS = 600_000;

/** How the program's file names the helper library here; publishing rewrites bare names, also in embedded files. */
const HELPER_HERE = "../../script/helpers/skillz.ts";

const SCRIPTS = {
  deno: {
    file: "program.ts",
    text: typescriptProgram.replace(HELPER_HERE, "skillz"),
    interpreter: "deno run",
  },
  python: { file: "program.py", text: pythonProgram, interpreter: "python3" },
} as const;

const LANGUAGES = { typescript: SCRIPTS.deno, javascript: SCRIPTS.deno, python: SCRIPTS.python } as const;

/** A language that programs may be written in. */
export type CodeLanguage = keyof typeof LANGUAGES;

/** The tools that programs run as: fixed scripts that get the code as an argument. */
export interface ProgramTools {
  /**
   * The tool for a language with these permissions, and the same object each time: its process can stand ready before
   * the call, because it is the same for every program.
   */
  get(language: CodeLanguage, permissions: Permissions): Promise<Tool>;
}

/** Most sets of permissions that are remembered. */
const REMEMBERED = 64;

/** Program tools whose scripts lie in the first of these folders that can be written; written at the first need. */
export function createProgramTools(places: readonly [string, ...string[]]): ProgramTools {
  const known = new Map<string, Promise<Tool>>();
  return {
    get(language, permissions) {
      const script = LANGUAGES[language];
      const key = JSON.stringify([script.file, permissions]);
      const tool = known.get(key) ?? makeTool(script, { places, permissions });
      known.delete(key);
      known.set(key, tool);
      tool.catch(() => known.delete(key));
      const [oldest] = known.keys();
      if (known.size > REMEMBERED && oldest !== undefined) known.delete(oldest);
      return tool;
    },
  };
}

async function makeTool(
  { file, text, interpreter }: (typeof LANGUAGES)[CodeLanguage],
  { places, permissions }: { places: readonly [string, ...string[]]; permissions: Permissions },
): Promise<Tool> {
  const hash = await sha256(text);
  const directory = await inFirstWritable(places, async (base) => {
    const directory = join(base, ".runtime", `code-${hash.slice(0, 16)}`);
    await writeOnce(join(directory, file), text);
    return directory;
  });
  const manifest = parseManifest({
    name: CODE_TOOL_NAME,
    description: "Runs code that calls tools",
    tool_type: "script",
    entry_file: file,
    interpreter,
    permissions,
    // How long a program may take is said with each run; the same process must do for all of them.
    limits: { timeout_ms: MAX_PROGRAM_MS },
  });
  return { name: CODE_TOOL_NAME, manifest, directory, hash: await sha256(JSON.stringify([hash, manifest])) };
}

async function writeOnce(path: string, text: string): Promise<void> {
  if (await readFile(path, "utf8").catch(() => undefined) === text) return;
  await mkdir(dirname(path), { recursive: true });
  await atomicWrite(path, text, { sync: false });
}
