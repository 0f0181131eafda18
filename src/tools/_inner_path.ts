/** Folders and files of a tool's folder that are the store's own business: a draft or entry may not name them. */
const OWN = new Set([".versions", "versions", "env", "manifest.json"]);

/** Options of {@linkcode innerPathFault}. */
export interface InnerPathOptions {
  /**
   * Whether what the store keeps there (manifest, versions, environment) may be named.
   * @default false
   */
  own?: boolean;
}

/** What is wrong with a path that must name a file inside a tool's folder; undefined when nothing is. */
export function innerPathFault(path: string, { own = false }: InnerPathOptions = {}): string | undefined {
  if (path === "") return "is empty";
  if (path.length > 1000) return "is longer than 1000 characters";
  // deno-lint-ignore no-control-regex -- they are what is looked for
  if (/[\0-\x1f]/.test(path)) return "holds a control character";
  if (path.startsWith("/") || /^[a-zA-Z]:/.test(path)) {
    return "is absolute, must be a path inside the tool's folder";
  }
  if (path.includes("\\")) return "holds a backslash, folders are separated by /";
  const parts = path.split("/");
  if (parts.some((part) => part === "" || part === "." || part === "..")) {
    return "has an empty part, . or .., must lead straight into the tool's folder";
  }
  if (parts.some((part) => new TextEncoder().encode(part).length > 255)) {
    return "has a part longer than 255 bytes";
  }
  if (!own && OWN.has(parts[0] ?? "")) return `names ${parts[0]}, which the store keeps itself`;
  return undefined;
}
