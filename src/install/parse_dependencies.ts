import { SkillzError } from "../base/errors.ts";
import type { Language } from "./language.ts";

/** A package as a tool asks for it. */
export interface Dependency {
  /** Name in the spelling of its registry, with its scope. */
  readonly name: string;
  /** The whole in the form that the installer takes: never an option, a path or an address. */
  readonly text: string;
}

const PYTHON_NAME = /^([a-z0-9](?:[a-z0-9._-]*[a-z0-9])?)\s*(?:\[([a-z0-9._,\s-]*)\])?\s*(.*)$/i;
const PYTHON_CLAUSE = /^\s*(?:~=|===?|!=|<=?|>=?)\s*[a-z0-9][a-z0-9.*+!_-]*\s*$/i;
const NPM = /^(@[a-z0-9~-][a-z0-9._~-]*\/)?([a-z0-9~-][a-z0-9._~-]*)(?:@(.+))?$/i;
const NPM_RANGE = /^[a-z0-9.^~<>=*|\s+-]+$/i;
const JSR = /^jsr:(@[a-z0-9-]+\/[a-z0-9-]+)(?:@([a-z0-9.^~<>=*|\s+-]+))?$/i;

/** Reads a tool's `dependencies`, sorted, each package once. Throws `invalid_input` naming what is wrong with one. */
export function parseDependencies(language: Language, texts: readonly string[]): Dependency[] {
  const found = new Map<string, Dependency>();
  for (const text of texts) {
    const dependency = parse(language, text.trim());
    if (found.has(dependency.name) && found.get(dependency.name)?.text !== dependency.text) {
      throw new SkillzError(
        "invalid_input",
        `Cannot use the dependencies: ${dependency.name} is named twice, it must be named once`,
      );
    }
    found.set(dependency.name, dependency);
  }
  return [...found.values()].sort((a, b) => a.text < b.text ? -1 : 1);
}

function parse(language: Language, text: string): Dependency {
  const refusal = refused(text, language);
  if (refusal !== undefined) throw bad(text, refusal, language);
  switch (language) {
    case "python":
      return python(text);
    case "node":
      return npm(text);
    case "deno":
      return deno(text);
  }
}

/** What installers would take for something else than a package of their registry. */
function refused(text: string, language: Language): string | undefined {
  if (text === "") return "it is empty";
  // deno-lint-ignore no-control-regex -- control characters are what it is about
  if (/[\x00-\x1f\x7f]/.test(text)) return "it holds control characters";
  if (text.startsWith("-")) return "it looks like an option";
  const plain = language === "deno" ? text.replace(/^(npm|jsr):/, "") : text;
  if (/^(git\+|\w+:)|:\/\//.test(plain) || / @ /.test(plain)) {
    return "it names an address, only packages of the registry may be named";
  }
  if (/^[./~\\]/.test(plain) || /\\/.test(plain) || (/\//.test(plain) && !plain.startsWith("@"))) {
    return "it looks like a path";
  }
  return undefined;
}

function python(text: string): Dependency {
  const [, name, extras, clauses = ""] = PYTHON_NAME.exec(text) ?? [];
  const isGood = clauses === "" || clauses.split(",").every((clause) => PYTHON_CLAUSE.test(clause));
  if (name === undefined || !isGood) throw bad(text, "its form is not known", "python");
  const normal = name.toLowerCase().replace(/[-_.]+/g, "-");
  const wanted = (extras ?? "").split(",").map((extra) => extra.trim().toLowerCase()).filter(Boolean).sort();
  const bracket = wanted.length > 0 ? `[${wanted.join(",")}]` : "";
  return { name: normal, text: `${normal}${bracket}${clauses.replaceAll(/\s+/g, "")}` };
}

function npm(text: string): Dependency {
  const [, scope = "", name, range] = NPM.exec(text) ?? [];
  if (name === undefined || (range !== undefined && !NPM_RANGE.test(range))) {
    throw bad(text, "its form is not known", "node");
  }
  const whole = `${scope}${name}`.toLowerCase();
  return { name: whole, text: range === undefined ? whole : `${whole}@${range.trim()}` };
}

function deno(text: string): Dependency {
  if (!text.startsWith("jsr:")) {
    const { name, text: whole } = npm(text.replace(/^npm:\/?/, ""));
    return { name: `npm:${name}`, text: `npm:${whole}` };
  }
  const [, name, range] = JSR.exec(text) ?? [];
  if (name === undefined) throw bad(text, "its form is not known", "deno");
  return { name: `jsr:${name}`, text: range === undefined ? `jsr:${name}` : `jsr:${name}@${range.trim()}` };
}

const EXAMPLES: Readonly<Record<Language, string>> = {
  python: "requests, six==1.16.0, numpy>=1.26,<3, uvicorn[standard]",
  node: "left-pad@1.3.0, zod@^4, @types/node@20",
  deno: "npm:zod@4, jsr:@std/text@1",
};

function bad(text: string, why: string, language: Language): SkillzError {
  const shown = JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
  return new SkillzError("invalid_input", `Cannot use dependency ${shown}: ${why}`, {
    hint: `Examples: ${EXAMPLES[language]}`,
  });
}
