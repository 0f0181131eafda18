import { SkillzError } from "../base/errors.ts";
import type { ToolPlace } from "./_layout.ts";
import { isFolder } from "./_scan_folder.ts";

/** Makes the folder of a tool's versions. Throws `denied` when a link is in its place, which could lead anywhere. */
export async function makeVersions(place: ToolPlace): Promise<void> {
  if (await isFolder(place.versions)) return;
  try {
    await Deno.mkdir(place.versions);
  } catch (cause) {
    if (!(cause instanceof Deno.errors.AlreadyExists)) throw cause;
    throw new SkillzError(
      "denied",
      `Cannot keep versions of "${place.name}": its .versions is a link or file, must be a folder`,
      { cause, hint: "Remove what is there" },
    );
  }
}
