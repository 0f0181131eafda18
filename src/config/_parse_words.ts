import { SkillzError } from "../base/errors.ts";

/** Flags by long name: a `switch` stands alone, a `value` takes what follows or what stands after `=`. */
export type FlagTable = Readonly<Record<string, "switch" | "value">>;

/** Options of {@linkcode parseWords}. */
export interface ParseWordsOptions {
  /** For messages. */
  command: string;
  /** What it knows. */
  flags: FlagTable;
}

/** Flags that were given (a switch has an empty value), and the other words in order. */
export interface ParsedWords {
  /** Values by name. */
  readonly flags: ReadonlyMap<string, string>;
  /** All else. */
  readonly words: readonly string[];
}

/** Sorts arguments into flags and words; after `--` all are words. The last of equal flags counts. */
export function parseWords(args: readonly string[], options: ParseWordsOptions): ParsedWords {
  const flags = new Map<string, string>();
  const words: string[] = [];
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? "";
    if (arg === "--") {
      words.push(...args.slice(index + 1));
      break;
    }
    if (!arg.startsWith("-") || arg === "-") {
      words.push(arg);
      continue;
    }
    const [, name = "", inline] = /^--([^=]*)(?:=(.*))?$/s.exec(arg) ?? [];
    const kind = Object.hasOwn(options.flags, name) ? options.flags[name] : undefined;
    if (kind === undefined) throw unknownFlag(arg, options);
    if (kind === "switch") {
      if (inline !== undefined) throw misuse(`--${name} takes no value`);
      flags.set(name, "");
      continue;
    }
    const value = inline ?? args[++index];
    if (value === undefined || (inline === undefined && value.startsWith("--"))) {
      throw misuse(`--${name} is given without a value, one is wanted`);
    }
    flags.set(name, value);
  }
  return { flags, words };
}

function unknownFlag(arg: string, { command, flags }: ParseWordsOptions): SkillzError {
  const known = Object.keys(flags).map((name) => `--${name}`).join(", ");
  const name = arg.split("=")[0] ?? arg;
  return misuse(`${command} has no flag "${name}", ${known === "" ? "it takes none" : `known are ${known}`}`);
}

function misuse(state: string): SkillzError {
  return new SkillzError("invalid_input", `Cannot read the command line: ${state}`, {
    hint: "Run skillz --help",
  });
}
