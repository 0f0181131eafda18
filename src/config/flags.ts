import { LOG_LEVELS, type LogLevel } from "../base/log.ts";
import { SkillzError } from "../base/errors.ts";
import { type FlagTable, parseWords } from "./_parse_words.ts";

/** What flags of `serve` say; what they do not say is absent. */
export interface ServeFlags {
  /** How clients reach the server. */
  transport?: "stdio" | "http";
  /** Port for HTTP; 0 picks a free one. */
  port?: number;
  /** Address or name to listen on. */
  host?: string;
  /** Lets anyone in who reaches an open port. */
  allowAnonymous?: boolean;
  /** Whether TOOLS_DIR is watched. */
  hotReload?: boolean;
  /** Skills and bundles active from the start. */
  skills?: readonly string[];
  /** The least grave level of the log on stderr. */
  logLevel?: LogLevel;
}

/** What the command line asks for. */
export type Command =
  | { readonly kind: "serve"; readonly flags: ServeFlags }
  | {
    readonly kind: "check-tools";
    readonly folders: readonly string[];
    readonly json: boolean;
    readonly run: boolean;
  }
  | { readonly kind: "call"; readonly tool: string; readonly json: string | undefined }
  | { readonly kind: "list" }
  | { readonly kind: "doctor" }
  | { readonly kind: "init"; readonly template: string; readonly name: string }
  | { readonly kind: "install"; readonly editor: string }
  | { readonly kind: "help" }
  | { readonly kind: "version" };

interface CommandRow {
  readonly flags: FlagTable;
  /** Names of its words; `?` after one that may be missing, `…` after one that may come any number of times. */
  readonly words: readonly string[];
}

/** Everything that the command line knows. */
const COMMANDS = {
  serve: {
    flags: {
      transport: "value",
      port: "value",
      host: "value",
      "allow-anonymous": "switch",
      "hot-reload": "switch",
      "no-watch": "switch",
      skills: "value",
      "log-level": "value",
    },
    words: [],
  },
  "check-tools": { flags: { json: "switch", run: "switch" }, words: ["DIR…"] },
  call: { flags: {}, words: ["TOOL", "JSON?"] },
  list: { flags: {}, words: [] },
  doctor: { flags: {}, words: [] },
  init: { flags: {}, words: ["TEMPLATE", "NAME"] },
  install: { flags: {}, words: ["EDITOR"] },
} as const satisfies Record<string, CommandRow>;

type CommandName = keyof typeof COMMANDS;

/**
 * Reads the command line.
 *
 * @throws {SkillzError} `invalid_input` with one line for anything that it does not know.
 */
export function parseCommandLine(args: readonly string[]): Command {
  const before = args.includes("--") ? args.slice(0, args.indexOf("--")) : args;
  if (before.some((word) => word === "--help" || word === "-h") || args[0] === "help") {
    return { kind: "help" };
  }
  if (before.some((word) => word === "--version" || word === "-V")) return { kind: "version" };
  const first = args[0] ?? "";
  const named = first !== "" && !first.startsWith("-");
  const name = named ? first : "serve";
  if (!isCommandName(name)) {
    const known = Object.keys(COMMANDS).join(", ");
    throw misuse(`there is no command "${name}", known are ${known}`);
  }
  const row: CommandRow = COMMANDS[name];
  const { flags, words } = parseWords(named ? args.slice(1) : args, { command: name, flags: row.flags });
  checkWords(name, words);
  const [one = "", two] = words;
  switch (name) {
    case "serve":
      return { kind: "serve", flags: toServeFlags(flags) };
    case "check-tools":
      return { kind: name, folders: words, json: flags.has("json"), run: flags.has("run") };
    case "call":
      return { kind: name, tool: one, json: two };
    case "init":
      return { kind: name, template: one, name: two ?? "" };
    case "install":
      return { kind: name, editor: one };
    case "list":
    case "doctor":
      return { kind: name };
  }
}

function isCommandName(name: string): name is CommandName {
  return Object.hasOwn(COMMANDS, name);
}

function checkWords(name: CommandName, words: readonly string[]): void {
  const wanted: readonly string[] = COMMANDS[name].words;
  const missing = wanted[words.length];
  if (missing !== undefined && !/[?…]$/.test(missing)) {
    throw misuse(
      `${name} wants ${wanted.map((word) => word.replace("?", "")).join(" ")}, ${missing} is missing`,
    );
  }
  const extra = words[wanted.length];
  if (extra !== undefined && !wanted.at(-1)?.endsWith("…")) {
    throw misuse(`${name} takes no further word, "${extra}" is one`);
  }
}

function toServeFlags(flags: ReadonlyMap<string, string>): ServeFlags {
  const transport = flags.get("transport");
  const port = flags.get("port");
  const host = flags.get("host");
  const skills = flags.get("skills");
  const level = flags.get("log-level");
  return {
    ...(transport === undefined ? {} : { transport: toTransport(transport) }),
    ...(port === undefined ? {} : { port: toPort(port) }),
    ...(host === undefined ? {} : { host: toHost(host) }),
    ...(flags.has("allow-anonymous") ? { allowAnonymous: true } : {}),
    ...(flags.has("hot-reload") || flags.has("no-watch") ? { hotReload: !flags.has("no-watch") } : {}),
    ...(skills === undefined ? {} : { skills: splitNames(skills) }),
    ...(level === undefined ? {} : { logLevel: toLogLevel(level) }),
  };
}

/** Names of a list with commas, as `--skills` and `SKILLZ_SKILLS` have it. */
export function splitNames(list: string): string[] {
  return list.split(",").map((name) => name.trim()).filter((name) => name !== "");
}

function toTransport(text: string): "stdio" | "http" {
  if (text === "sse" || text === "http") return "http";
  if (text === "stdio") return "stdio";
  throw misuse(`--transport is "${text}", stdio or http is wanted`);
}

function toPort(text: string): number {
  const port = /^[0-9]{1,5}$/.test(text) ? Number(text) : NaN;
  if (port <= 65_535) return port;
  throw misuse(`--port is "${text}", a whole number from 0 to 65535 is wanted`);
}

/** An IPv6 address may stand in brackets, as it does in a URL. */
function toHost(text: string): string {
  const host = text.replace(/^\[(.*)\]$/, "$1");
  if (/^[A-Za-z0-9._:%-]+$/.test(host)) return host;
  throw misuse(`--host is "${text}", an address or a name is wanted`);
}

function toLogLevel(text: string): LogLevel {
  const level = LOG_LEVELS.find((known) => known === text);
  if (level !== undefined) return level;
  throw misuse(`--log-level is "${text}", one of ${LOG_LEVELS.join(", ")} is wanted`);
}

function misuse(state: string): SkillzError {
  return new SkillzError("invalid_input", `Cannot read the command line: ${state}`, {
    hint: "Run skillz --help",
  });
}
