import { isBuiltin } from "node:module";
import { isJsonObject, type JsonObject, type JsonValue } from "../base/json.ts";

/** An import that can't work, in words that go on after the specifier. */
export interface ImportFault {
  /** As the code has it. */
  readonly specifier: string;
  /** Goes on after the specifier. */
  readonly why: string;
  /** What to write instead. */
  readonly hint: string;
}

const PACKAGE = /^(npm|jsr):\/?((?:@[^/@]+\/)?[^/@]+)(?:@([^/]+))?(\/.*)?$/;

/**
 * The first static import of a module in Deno's graph that names a package which is not installed under that name and
 * version. What is imported while the code runs fails there, where code may be prepared for it; but where nothing is
 * installed, no package may be named at all.
 */
export function importFault(module: JsonObject, packages: readonly string[]): ImportFault | undefined {
  const imports = Array.isArray(module.dependencies) ? module.dependencies.filter(isJsonObject) : [];
  for (const { specifier, code, isDynamic } of imports) {
    // Imports of types alone have no code: Deno strips them.
    if (typeof specifier !== "string" || !isJsonObject(code)) continue;
    const isKnown = code.error === undefined;
    if (isDynamic === true && (packages.length > 0 || !isKnown)) continue;
    const fault = isKnown ? packageFault(code.specifier, packages) : nameFault(specifier);
    if (fault) return { specifier, ...fault };
  }
  return undefined;
}

type Fault = Omit<ImportFault, "specifier">;

/** What is wrong with a package by its full address. */
function packageFault(address: JsonValue | undefined, packages: readonly string[]): Fault | undefined {
  const [, scheme, name, range, path = ""] = PACKAGE.exec(String(address)) ?? [];
  if (name === undefined) return undefined;
  const declared = packages.filter((text) => {
    const [, itsScheme, itsName] = PACKAGE.exec(text) ?? [];
    return itsScheme === scheme && itsName?.toLowerCase() === name.toLowerCase();
  });
  if (declared.length === 0) {
    const version = range === undefined ? "" : `@${range}`;
    return notDeclared(`${scheme}:${name}${version}`);
  }
  if (declared.some((text) => sameRange(PACKAGE.exec(text)?.[3], range))) return undefined;
  return {
    why: `which dependencies name as "${declared.join('", "')}"`,
    hint: `Import ${JSON.stringify(name + path)}: dependencies say which version`,
  };
}

/** What is wrong with a bare name that nothing is known for. */
function nameFault(specifier: string): Fault | undefined {
  if (/^(?:\.{0,2}\/|[a-z][a-z0-9+.-]*:)/i.test(specifier)) return undefined;
  if (isBuiltin(specifier)) {
    return { why: "which Deno has by another name", hint: `Import "node:${specifier}"` };
  }
  const name = /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
  return notDeclared(`npm:${name}`);
}

function notDeclared(text: string): Fault {
  return { why: "which is not declared", hint: `Add ${JSON.stringify(text)} to dependencies` };
}

/** Whether two version ranges are one to Deno's lock file. */
function sameRange(one: string | undefined, other: string | undefined): boolean {
  const plain = (range = "*") =>
    range.replaceAll(/\s/g, "").replace(/^\^(?=\d+$)/, "").replace(/(?<=\d)(?:\.[x*])+$/i, "");
  return plain(one) === plain(other);
}
