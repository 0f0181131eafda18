import { fileURLToPath } from "node:url";

/** How a program is started. */
export interface OwnCommand {
  /** Path of the program. */
  readonly command: string;
  /** What comes before the words of a command line. */
  readonly args: readonly string[];
}

/** How this very program is started again. */
export function ownCommand(): OwnCommand {
  if (Deno.build.standalone) return { command: Deno.execPath(), args: [] };
  const script = Deno.mainModule.startsWith("file:") ? fileURLToPath(Deno.mainModule) : "jsr:@skillz/server";
  return { command: Deno.execPath(), args: ["run", "-A", script] };
}

/** The same as people type it. */
export function ownCommandLine(): string {
  const { command, args } = ownCommand();
  const program = args.length > 0 ? "deno" : command;
  return [program, ...args].map(shellWord).join(" ");
}

/** A word as people type it in a shell, in quotes where it would not stay one. */
export function shellWord(word: string): string {
  if (/^[\p{L}\p{N}_./:@+-]+$/u.test(word)) return word;
  return Deno.build.os === "windows" ? `"${word}"` : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
