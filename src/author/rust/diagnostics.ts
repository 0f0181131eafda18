/** What a compiler said, as far as it is worth reading. */
export interface Diagnostics {
  /** Errors in full, in order, with the place in the code. */
  readonly errors: readonly string[];
  /** What the compiler found odd. */
  readonly warnings: readonly string[];
  /** The crate that did not compile, as cargo names it. */
  readonly crate?: string;
}

/** Most text that is handed on. */
const MOST_ERRORS = 20;
const MOST_CHARACTERS = 8000;
/** What cargo tells of its progress. */
const STEP = /^ *[A-Z][a-z]+ .*\n?/gm;
/** How the compiler sums up; of no use to anyone who has the errors. */
const SUMMARY =
  /^(?:error: aborting due to|error: could not compile|error: failed to run custom build|warning: build failed|warning: `[^`]+` \(|(?:error|warning): \d+ (?:warning|error)s? emitted|Some errors have|For more information)/;

/** Reads what rustc or cargo wrote for people: messages begin at the start of a line, with a blank line between. */
export function readDiagnostics(output: string): Diagnostics {
  const crate = /^error: could not compile `([^`]+)`/m.exec(output)?.[1];
  const blocks = output.replace(STEP, "")
    .split(/\n(?=(?:error|warning)(?:\[\w+\])?: |Some errors have|For more information)/)
    .map((block) => block.trim())
    .filter((block) => block !== "" && !SUMMARY.test(block));
  const starting = (word: string) => blocks.filter((block) => block.startsWith(word));
  return {
    errors: starting("error"),
    warnings: starting("warning"),
    ...(crate === undefined ? {} : { crate }),
  };
}

/** As many messages as can be read at one go, and how many more there are. */
export function shortened(messages: readonly string[]): string {
  const shown: string[] = [];
  let size = 0;
  for (const message of messages.slice(0, MOST_ERRORS)) {
    if (shown.length > 0 && size + message.length > MOST_CHARACTERS) break;
    shown.push(message.length > MOST_CHARACTERS ? `${message.slice(0, MOST_CHARACTERS)}…` : message);
    size += message.length;
  }
  const left = messages.length - shown.length;
  return [...shown, ...(left > 0 ? [`… and ${left} more`] : [])].join("\n\n");
}
