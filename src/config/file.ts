import { loadLate } from "../base/load_late.ts";
import { join } from "node:path";
import { isJsonObject } from "../base/json.ts";
import type { ConfiguredServer, PolicyTables } from "./config.ts";
import { type HttpSettings, NO_HTTP_SETTINGS, readHttpSettings } from "./http_settings.ts";

/** What the configuration files say, and what is wrong with them. */
export interface FileSettings {
  /** `[servers.NAME]`. */
  readonly servers: Readonly<Record<string, ConfiguredServer>>;
  /** `[policy]` as it stands in the file of TOOLS_DIR and in that of the current folder; see {@linkcode PolicyTables}. */
  readonly policy: PolicyTables | undefined;
  /** `[http]` of the file in TOOLS_DIR; a workspace has no say in who may use the server. */
  readonly http: HttpSettings;
  /** One line each. */
  readonly problems: readonly string[];
}

/** Name of the file. */
export const CONFIG_FILE = "skillz.toml";

/**
 * Reads `skillz.toml` of the current folder and of TOOLS_DIR. Servers of the current folder win over equal names; the
 * policies stay apart, because that of a workspace must not loosen the user's own.
 */
export async function readConfigFiles(places: { cwd: string; toolsDir: string }): Promise<FileSettings> {
  const problems: string[] = [];
  const here = await readTable(join(places.cwd, CONFIG_FILE), problems);
  const tools = places.toolsDir === places.cwd
    ? undefined
    : await readTable(join(places.toolsDir, CONFIG_FILE), problems);
  return {
    servers: { ...readServers(tools, problems), ...readServers(here, problems) },
    policy: policyOf(here, places.toolsDir === places.cwd ? here : tools),
    http: readHttp(tools, problems),
    problems,
  };
}

interface Table {
  readonly path: string;
  readonly table: Readonly<Record<string, unknown>>;
}

async function readTable(path: string, problems: string[]): Promise<Table | undefined> {
  let text: string;
  try {
    text = await Deno.readTextFile(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory)) {
      problems.push(`Cannot read ${path}: ${error instanceof Error ? error.message : error}`);
      return { path, table: { policy: "unreadable" } };
    }
    return undefined;
  }
  const late = new URL("./parse_toml.ts", import.meta.url);
  const { parseToml } = await loadLate<typeof import("./parse_toml.ts")>(late);
  const parsed = parseToml(text);
  if ("fault" in parsed) {
    problems.push(`Cannot read ${path}: ${parsed.fault}; nothing in it counts`);
    // What it would have forbidden must not be allowed.
    return { path, table: { policy: "unreadable" } };
  }
  for (const name of Object.keys(parsed.table)) {
    if (!["servers", "policy", "http"].includes(name)) {
      problems.push(`${path}: [${name}] is not known, [servers.NAME], [policy] and [http] are`);
    }
  }
  return { path, table: parsed.table };
}

function readHttp(file: Table | undefined, problems: string[]): HttpSettings {
  const settings = readHttpSettings(file?.table.http);
  if (typeof settings !== "string") return settings;
  problems.push(`${file?.path}: [http] is left out: ${settings}`);
  return NO_HTTP_SETTINGS;
}

function policyOf(workspace: Table | undefined, own: Table | undefined): PolicyTables | undefined {
  const tables = {
    ...(own?.table.policy === undefined ? {} : { own: own.table.policy }),
    ...(workspace?.table.policy === undefined || workspace === own
      ? {}
      : { workspace: workspace.table.policy }),
  };
  return Object.keys(tables).length > 0 ? tables : undefined;
}

function readServers(file: Table | undefined, problems: string[]): Record<string, ConfiguredServer> {
  const servers: Record<string, ConfiguredServer> = {};
  const given = file?.table.servers;
  if (file === undefined || given === undefined) return servers;
  if (!isJsonObject(given)) {
    problems.push(`${file.path}: servers is no table, [servers.NAME] is wanted`);
    return servers;
  }
  for (const [name, value] of Object.entries(given)) {
    const server = readServer(name, value);
    if (typeof server === "string") problems.push(`${file.path}: [servers.${name}] is left out: ${server}`);
    else servers[name] = server;
  }
  return servers;
}

/** A server, or what is wrong with it. Values are never repeated: they may be secrets. */
function readServer(name: string, value: unknown): ConfiguredServer | string {
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(name)) return "the name may hold a-z, A-Z, 0-9, _ and - only, at most 64";
  if (!isJsonObject(value)) return "it is no table";
  const { command, args = [], env = {}, url, headers = {}, disabled = false, ...rest } = value;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) return `${unknown} is not known; command, args, env, url, headers, disabled are`;
  if (command !== undefined && (typeof command !== "string" || command === "")) return "command is no text";
  if (url !== undefined && (typeof url !== "string" || !/^https?:\/\//.test(url))) {
    return "url is no http: or https: address";
  }
  if ((command === undefined) === (url === undefined)) {
    return "it has both or none of command and url, one is wanted";
  }
  if (!Array.isArray(args) || !args.every((arg) => typeof arg === "string")) {
    return "args is no list of texts";
  }
  if (typeof disabled !== "boolean") return "disabled is neither true nor false";
  const variables = toTexts(env);
  if (variables === undefined) return "env is no table of texts";
  const fields = toTexts(headers);
  if (fields === undefined) return "headers is no table of texts";
  return {
    ...(command === undefined ? {} : { command }),
    args,
    env: variables,
    ...(url === undefined ? {} : { url }),
    headers: fields,
    disabled,
  };
}

/** Numbers and true or false are taken as the text that they are written as. */
function toTexts(value: unknown): Record<string, string> | undefined {
  if (!isJsonObject(value)) return undefined;
  const texts: Record<string, string> = {};
  for (const [name, item] of Object.entries(value)) {
    if (!["string", "number", "boolean"].includes(typeof item)) return undefined;
    texts[name] = String(item);
  }
  return texts;
}
