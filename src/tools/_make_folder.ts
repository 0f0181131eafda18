import { SkillzError } from "../base/errors.ts";
import { isFolder } from "./_scan_folder.ts";

/**
 * Makes a folder of the store's own, if it is not there. The one above it must be.
 *
 * @throws `SkillzError("denied")` when a link is in its place, which could lead anywhere.
 */
export async function makeFolder(path: string): Promise<void> {
  if (await isFolder(path)) return;
  try {
    await Deno.mkdir(path);
  } catch (cause) {
    if (!(cause instanceof Deno.errors.AlreadyExists)) throw cause;
    // Another server may have made it just now.
    if (await isFolder(path)) return;
    throw new SkillzError(
      "denied",
      `Cannot keep anything in "${path}": it is a link or a file, must be a folder`,
      { cause, hint: "Remove what is there" },
    );
  }
}
