import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sha256 } from "../../base/hash.ts";
import type { Limits } from "../../sandbox/limits.ts";
import { resolveLimits } from "../../sandbox/limits.ts";
import type { Permissions } from "../../sandbox/permissions.ts";
import { parseManifest } from "../../tools/manifest.ts";
import type { Tool } from "../../tools/tool.ts";
import pythonProgram from "./programs/program.py" with { type: "text" };
import typescriptProgram from "./programs/program.ts" with { type: "text" };

/** The name under which programs run, in chains of calls and in the audit. */
export const CODE_TOOL_NAME = "execute_code";

const PROGRAMS = {
  typescript: { file: "program.ts", text: typescriptProgram, interpreter: "deno run" },
  javascript: { file: "program.ts", text: typescriptProgram, interpreter: "deno run" },
  python: { file: "program.py", text: pythonProgram, interpreter: "python3" },
} as const;

/** A language that programs may be written in. */
export type CodeLanguage = keyof typeof PROGRAMS;

/** Where the program's script is kept, and what it may do besides calling tools. */
export interface ProgramOptions {
  readonly toolsDir: string;
  readonly permissions: Permissions;
  readonly limits: Partial<Limits>;
}

/**
 * The tool that runs programs of a language: a fixed script that gets the code as an argument. Being the same for
 * every program, its process can stand ready before the call.
 */
export async function programTool(language: CodeLanguage, wanted: ProgramOptions): Promise<Tool> {
  const { toolsDir, permissions, limits } = wanted;
  const { file, text, interpreter } = PROGRAMS[language];
  const hash = await sha256(text);
  const directory = join(toolsDir, ".runtime", `code-${hash.slice(0, 16)}`);
  await writeOnce(join(directory, file), text);
  const manifest = parseManifest({
    name: CODE_TOOL_NAME,
    description: "Runs code that calls tools",
    tool_type: "script",
    entry_file: file,
    interpreter,
    permissions,
    env: [],
    limits: resolveLimits(limits),
  });
  return { name: CODE_TOOL_NAME, manifest, directory, hash: await sha256(JSON.stringify([hash, manifest])) };
}

async function writeOnce(path: string, text: string): Promise<void> {
  if (await Deno.stat(path).then((info) => info.isFile, () => false)) return;
  await mkdir(join(path, ".."), { recursive: true });
  const fresh = `${path}.${crypto.randomUUID().slice(0, 8)}`;
  await writeFile(fresh, text);
  await rename(fresh, path);
}
