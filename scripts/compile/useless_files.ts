import { join } from "node:path";

/** Sources, types and texts: no program loads them out of npm packages. */
const NEVER_LOADED = /(\.map|\.md|\.markdown|\.flow|\.[cm]?tsx?)$/;

/**
 * Files of our npm packages that a binary has no use for. Whatever is in it is read into memory at each start, so they
 * cost more than room on the disk.
 */
export async function uselessFiles(deno: string, target: string = Deno.build.target): Promise<string[]> {
  const asked = await new Deno.Command(deno, { args: ["info", "--json"] }).output();
  const { npmCache } = JSON.parse(new TextDecoder().decode(asked.stdout));
  const isWhollyUseless = wholePackages(target);
  const lock = JSON.parse(await Deno.readTextFile(new URL("../../deno.lock", import.meta.url)));
  const found: string[] = [];
  for (const registry of await entries(npmCache)) {
    for (const key of Object.keys(lock.npm)) {
      const [, name = "", version = ""] = /^(@?[^@]+)@([^_]+)/.exec(key) ?? [];
      const files = await filesBelow(join(npmCache, registry.name, name, version));
      const whole = isWhollyUseless(name);
      // The manifest is looked for even where nothing uses the package.
      found.push(...files.filter((path) => whole ? !path.endsWith("package.json") : NEVER_LOADED.test(path)));
    }
  }
  return found;
}

/** The native compiler, since nothing inside a binary can be started; databases for another C library than its own. */
function wholePackages(target: string): (name: string) => boolean {
  const other = target.includes("musl") ? "gnu" : "musl";
  return (name) =>
    name.startsWith("@typescript/typescript-") || new RegExp(`^@libsql/linux-.*-${other}`).test(name);
}

async function filesBelow(folder: string): Promise<string[]> {
  const lists = (await entries(folder)).map(async (entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory ? await filesBelow(path) : [path];
  });
  return (await Promise.all(lists)).flat();
}

async function entries(folder: string): Promise<Deno.DirEntry[]> {
  return await Array.fromAsync(Deno.readDir(folder)).catch(() => []);
}
