/**
 * Loads a module that only part of the runs need. The address is a `new URL` beside `import.meta.url`, the type a
 * `typeof import`, both of the same file.
 *
 * Deno reads whatever a plain `import("./x.ts")` leads to before the program starts, packages included; a computed
 * address is read when it is asked for. For a server over stdio that is most of the time until its first answer.
 */
export function loadLate<Module>(url: URL): Promise<Module> {
  return import(url.href);
}
