import { SkillzError } from "../base/errors.ts";
import type { ToolPlace } from "./_layout.ts";

/**
 * Takes a tool's folder out of sight at once; the caller holds the lock. A link is removed itself, what it leads to is
 * not touched.
 *
 * @returns how to free its space, which may take long for a large environment and needs no lock.
 */
export async function removeTool(place: ToolPlace, { hint }: { hint: string }): Promise<() => Promise<void>> {
  let info: Deno.FileInfo;
  try {
    info = await Deno.lstat(place.home);
  } catch (cause) {
    if (!(cause instanceof Deno.errors.NotFound)) throw cause;
    throw new SkillzError("not_found", `Cannot delete "${place.name}": there is no tool of that name`, {
      cause,
      hint,
    });
  }
  if (!info.isDirectory) {
    await Deno.remove(place.home);
    return () => Promise.resolve();
  }
  const aside = place.fresh();
  await Deno.rename(place.home, aside);
  // Links inside are removed as links.
  return () => Deno.remove(aside, { recursive: true });
}
