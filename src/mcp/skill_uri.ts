import type { ResourceListing, SkillFolder } from "./ports.ts";
import { mimeTypeOf } from "./resources/mime_type.ts";

/** Media type of a folder. */
const DIRECTORY_TYPE = "inode/directory";

const SCHEME = "skill://";

/** Address of a skill's file or folder; of the skill's own folder without `path`. */
export function skillUri(skill: string, path = ""): string {
  return `${SCHEME}${skill}${path === "" ? "" : `/${path}`}`;
}

/** The skill that an address belongs to and what comes after it; `undefined` when it belongs to none. */
export function splitSkillUri(
  uri: string,
  skills: readonly string[],
): { path: string; rest: string } | undefined {
  if (!uri.startsWith(SCHEME)) return undefined;
  const whole = uri.slice(SCHEME.length).replace(/\/$/, "");
  // One skill may lie in a folder of another: the longest match is the right one.
  const owners = skills.filter((path) => whole === path || whole.startsWith(`${path}/`));
  const path = owners.reduce<string | undefined>(
    (a, b) => a === undefined || b.length > a.length ? b : a,
    undefined,
  );
  return path === undefined ? undefined : { path, rest: whole.slice(path.length + 1) };
}

/** What lies directly in a folder of a skill, in order; nothing when it is no folder. */
export function listDirectory(skill: SkillFolder, directory: string): readonly ResourceListing[] {
  const prefix = directory === "" ? "" : `${directory}/`;
  const children = new Map<string, ResourceListing>();
  for (const path of Object.keys(skill.files).sort()) {
    if (!path.startsWith(prefix)) continue;
    const [name = "", ...deeper] = path.slice(prefix.length).split("/");
    const mimeType = deeper.length > 0 ? DIRECTORY_TYPE : mimeTypeOf(name);
    children.set(name, { uri: skillUri(skill.path, prefix + name), name, mimeType });
  }
  return [...children.values()];
}
