import { JOURNAL, type Layout } from "./_layout.ts";
import { isFolder } from "./_scan_folder.ts";
import { nameFault } from "./names.ts";

/** Names of tools whose visible folder is being changed. */
export async function pendingNames(layout: Layout): Promise<string[]> {
  // A link in its place would lead to journals that are none of ours.
  if (!(await isFolder(layout.staging))) return [];
  try {
    const entries = await Array.fromAsync(Deno.readDir(layout.staging));
    return entries.filter((entry) => entry.isFile && entry.name.endsWith(JOURNAL))
      .map((entry) => entry.name.slice(0, -JOURNAL.length)).filter((name) => nameFault(name) === undefined);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}
