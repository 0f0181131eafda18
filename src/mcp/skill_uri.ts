import type { ResourceListing, SkillFolder } from "./ports.ts";
import { mimeTypeOf } from "./resources/mime_type.ts";

/** Media type of a folder. */
const DIRECTORY_TYPE = "inode/directory";

const SCHEME = "skill://";

/** What a part of an address can't hold as it is. */
const UNSAFE = /[^\w!$&'()*+,.:;=@~-]/gu;

/** Address of a skill's file or folder; of the skill's own folder without `path`. */
export function skillUri(skill: string, path = ""): string {
  const [host = "", ...parts] = `${skill}${path === "" ? "" : `/${path}`}`.toWellFormed().split("/");
  const encoded = parts.map((part) => part.replaceAll(UNSAFE, (char) => encodeURIComponent(char)));
  return SCHEME + [encodeURIComponent(host), ...encoded].join("/");
}

/** The skill that an address belongs to and what comes after it; `undefined` when it belongs to none. */
export function splitSkillUri(
  uri: string,
  skills: readonly string[],
): { path: string; rest: string } | undefined {
  if (!uri.startsWith(SCHEME)) return undefined;
  const parts = uri.slice(SCHEME.length).replace(/\/$/, "").split("/").map(decoded);
  // A slash that was encoded separates nothing, and no name holds one.
  if (parts.some((part) => part.includes("/"))) return undefined;
  const whole = parts.join("/");
  // One skill may lie in a folder of another: the longest match is the right one.
  const owners = skills.filter((path) => whole === path || whole.startsWith(`${path}/`));
  const path = owners.reduce<string | undefined>(
    (a, b) => a === undefined || b.length > a.length ? b : a,
    undefined,
  );
  return path === undefined ? undefined : { path, rest: whole.slice(path.length + 1) };
}

/** Names with a percent sign come unencoded from some clients, so what is no encoding stands for itself. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
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
