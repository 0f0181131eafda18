/**
 * Loads a module that only part of the runs need: `loadLate<typeof import("./x.ts")>(new URL("./x.ts", import.meta.url))`.
 *
 * Deno reads whatever a plain `import("./x.ts")` leads to before the program starts, packages included; a computed
 * address is read when it is asked for. For a server over stdio that is most of the time until its first answer.
 */
export function loadLate<Module>(url: URL): Promise<Module> {
  return import(url.href);
}
