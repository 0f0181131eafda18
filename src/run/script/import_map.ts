import { pathToFileURL } from "node:url";

const PACKAGE = /^(npm|jsr):((?:@[^/@]+\/)?[^/@]+)(?:@(.+))?$/;

/**
 * An import map in which installed packages go by their bare names, `zod` and `zod/mini`, and without a version:
 * what dependencies say is what is imported. `helper` is the file of the module `skillz`. As an address that holds it.
 */
export function importMapFor(packages: readonly string[], helper: string): string {
  const imports: Record<string, string> = {};
  for (const text of packages) {
    const [, scheme, name, range] = PACKAGE.exec(text) ?? [];
    if (name === undefined) continue;
    imports[name] = text;
    imports[`${name}/`] = `${scheme}:/${name}${range === undefined ? "" : `@${range}`}/`;
    if (range !== undefined) imports[`${scheme}:${name}`] = text;
  }
  imports.skillz = pathToFileURL(helper).href;
  const bytes = new TextEncoder().encode(JSON.stringify({ imports }));
  return `data:application/json;base64,${bytes.toBase64()}`;
}
