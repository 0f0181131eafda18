// deno-lint-ignore-file explicit-module-boundary-types skillz/max-args -- JavaScript with the signature that Node wants
// Lets `import "package"` find what was installed beside this file, after the usual places.
import * as module from "node:module";

/** Not a path, not an address, not an import of the package's own. */
const isPackage = (specifier) => !/^(\.{0,2}\/|#|[a-z][a-z0-9+.-]*:)/i.test(specifier);
const isMissing = (error) => error?.code === "ERR_MODULE_NOT_FOUND" || error?.code === "MODULE_NOT_FOUND";
const here = import.meta.url;

/** For Node that asks in the same thread. */
function resolveSync(specifier, context, next) {
  try {
    return next(specifier, context);
  } catch (error) {
    if (!isPackage(specifier) || !isMissing(error)) throw error;
    return next(specifier, { ...context, parentURL: here });
  }
}

/** For older Node, which loads this file a second time in a thread of its own. */
export async function resolve(specifier, context, next) {
  try {
    return await next(specifier, context);
  } catch (error) {
    if (!isPackage(specifier) || !isMissing(error)) throw error;
    return await next(specifier, { ...context, parentURL: here });
  }
}

if (typeof module.registerHooks === "function") module.registerHooks({ resolve: resolveSync });
else if (!new URL(here).searchParams.has("hooks")) module.register(`${here}?hooks`);
