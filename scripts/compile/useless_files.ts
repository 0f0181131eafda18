import { join } from "node:path";

/**
 * Files of npm packages that a binary has no use for: the native TypeScript compiler, since nothing inside a binary can
 * be started, and databases for another C library than its own. A third of what would be embedded.
 */
export async function uselessFiles(deno: string, target: string = Deno.build.target): Promise<string[]> {
  const asked = await new Deno.Command(deno, { args: ["info", "--json"] }).output();
  const { npmCache } = JSON.parse(new TextDecoder().decode(asked.stdout)) as { npmCache: string };
  const other = target.includes("musl") ? "gnu" : "musl";
  const patterns = [/^@typescript\/typescript-/, new RegExp(`^@libsql/linux-.*-${other}`)];
  const found: string[] = [];
  for (const registry of await namesIn(npmCache)) {
    for (const scope of ["@typescript", "@libsql"]) {
      for (const name of await namesIn(join(npmCache, registry, scope))) {
        if (!patterns.some((pattern) => pattern.test(`${scope}/${name}`))) continue;
        found.push(...await contents(join(npmCache, registry, scope, name)));
      }
    }
  }
  return found;
}

/** What lies in each version of a package but its manifest, which is looked for even where nothing uses it. */
async function contents(folder: string): Promise<string[]> {
  const versions = (await namesIn(folder)).filter((name) => /^\d/.test(name));
  const lists = await Promise.all(versions.map(async (version) => {
    const names = (await namesIn(join(folder, version))).filter((name) => name !== "package.json");
    return names.map((name) => join(folder, version, name));
  }));
  return lists.flat();
}

async function namesIn(folder: string): Promise<string[]> {
  return await Array.fromAsync(Deno.readDir(folder), ({ name }) => name).catch(() => []);
}
