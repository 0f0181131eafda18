import { join } from "node:path";
import { OLD_FOLDERS, STORE_FOLDERS } from "./_layout.ts";

/** Whether a folder of that name is looked at; the name may still be none that a tool can have. */
export function isFolderName(name: string): boolean {
  return name !== "" && !name.startsWith(".") && !/[/\\\0]/.test(name) && !STORE_FOLDERS.has(name);
}

/** Names in TOOLS_DIR that are, or claim to be, a tool's folder. */
export async function listFolders(root: string): Promise<string[]> {
  const names: string[] = [];
  for await (const entry of Deno.readDir(root)) {
    if (entry.isFile || !isFolderName(entry.name)) continue;
    if (OLD_FOLDERS.has(entry.name) && !(await isFile(join(root, entry.name, "manifest.json")))) continue;
    names.push(entry.name);
  }
  return names.sort();
}

async function isFile(path: string): Promise<boolean> {
  return await Deno.lstat(path).then((info) => info.isFile, () => false);
}
