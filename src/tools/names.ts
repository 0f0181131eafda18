import { SkillzError } from "../base/errors.ts";

/** What a name may look like, wherever one enters: tools, services, skills, pipelines, imported servers. */
export const NAME_PATTERN: RegExp = /^[a-zA-Z0-9_-]{1,64}$/;

/** Names that Windows takes for a device, whatever folder they are in. */
const DEVICES = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/i;

/** Why a folder can be no tool, where its name is reserved. */
export const RESERVED_FOLDER = "its name belongs to the server, folder and manifest need another one";

/** Options of {@linkcode checkName}. */
export interface CheckNameOptions {
  /**
   * What the name is for, in messages.
   * @default "tool"
   */
  what?: string;
  /** Names that are taken by something that can't be replaced, e.g. built-in tools. */
  reservedNames?: ReadonlySet<string>;
}

/** What is wrong with a name, in words that go on after "the name"; undefined when nothing is. */
export function nameFault(name: unknown): string | undefined {
  if (typeof name !== "string") return "is not a string";
  if (name === "") return "is empty";
  if (name.length > 64) return `has ${name.length} characters, at most 64 are allowed`;
  if (!NAME_PATTERN.test(name)) return "holds other characters than a-z, A-Z, 0-9, _ and -";
  if (name.startsWith("-")) return "begins with -, where programs expect an option";
  if (DEVICES.test(name)) return "is the name of a device on Windows";
  // An object that is used as a table has these already, and a stored `__proto__` would change all objects.
  if (name in Object.prototype) return "is a word that JavaScript objects keep for themselves";
  return undefined;
}

/**
 * Lets a name through that may become a folder, a key, and a word in a command line.
 *
 * @throws `SkillzError("invalid_input")` with the rule that it breaks, `SkillzError("conflict")` when it is reserved.
 */
export function checkName(name: unknown, options: CheckNameOptions = {}): asserts name is string {
  const { what = "tool", reservedNames } = options;
  const fault = nameFault(name);
  if (fault !== undefined) {
    throw new SkillzError(
      "invalid_input",
      `Cannot use ${quoted(name)} as the name of a ${what}: it ${fault}`,
      {
        hint: "Use 1 to 64 of a-z, A-Z, 0-9, _ and -, for example word_count",
      },
    );
  }
  if (typeof name === "string" && reservedNames?.has(name)) {
    throw new SkillzError(
      "conflict",
      `Cannot use "${name}" as the name of a ${what}: it belongs to the server, choose another one`,
    );
  }
}

/** A name as it may be shown: escaped, and never longer than a line. */
function quoted(name: unknown): string {
  if (typeof name !== "string") return "what was given";
  return JSON.stringify(name.length > 80 ? `${name.slice(0, 80)}…` : name);
}
