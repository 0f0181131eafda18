import { isJsonObject, type JsonObject } from "../base/json.ts";
import { parseHostRule } from "./host_rule.ts";
import type { Permissions } from "./permissions.ts";
import { type Ceiling, OPEN_POLICY, type Policy } from "./policy.ts";

/** `[policy]` as it stands in the configuration files, by whose file it is. */
export interface PolicySource {
  /** Of TOOLS_DIR. */
  readonly own?: unknown;
  /** Of the current folder. */
  readonly workspace?: unknown;
}

/** A policy, and what is wrong with its text, one line each. */
export interface ParsedPolicy {
  readonly policy: Policy;
  /** For the log. */
  readonly problems: readonly string[];
}

/**
 * Reads `[policy]`. One that is not understood grants nothing: a typing error must not open what it was to close.
 */
export function parsePolicy({ own, workspace }: PolicySource = {}): ParsedPolicy {
  const faults: string[] = [];
  const notes: string[] = [];
  const mine = readCeiling(own, { own: true, faults });
  const theirs = readCeiling(workspace, { own: false, faults });
  if (theirs?.defaultProfile !== undefined) {
    notes.push(
      "[policy] default of a workspace does not count: it would let whoever wrote it open your machine",
    );
  }
  const [broken] = faults;
  if (broken !== undefined) {
    const closed = { allow: {}, ask: {}, own: true };
    return {
      policy: { defaultProfile: { env: [] }, ceilings: [closed], broken },
      problems: faults.map((fault) => `${fault}; until it is mended no tool gets any permission`),
    };
  }
  return {
    policy: {
      defaultProfile: mine?.defaultProfile ?? OPEN_POLICY.defaultProfile,
      ceilings: [mine, theirs].flatMap((one) => one === undefined ? [] : [one.ceiling]),
    },
    problems: notes,
  };
}

interface Read {
  ceiling: Ceiling;
  defaultProfile?: Permissions;
}

const TABLES = ["default", "allow", "ask", "deny"];

function readCeiling(table: unknown, { own, faults }: { own: boolean; faults: string[] }): Read | undefined {
  if (table === undefined) return undefined;
  if (!isJsonObject(table)) {
    faults.push("[policy] is no table that can be read");
    return undefined;
  }
  const lists: Record<string, Permissions> = {};
  for (const [name, value] of Object.entries(table)) {
    if (TABLES.includes(name)) lists[name] = readPermissions(value, { at: `policy.${name}`, faults });
    else faults.push(`[policy] ${name} is not known; ${TABLES.join(", ")} are`);
  }
  const { default: defaultProfile, ...ceiling } = lists;
  return { ceiling: { ...ceiling, own }, ...(defaultProfile === undefined ? {} : { defaultProfile }) };
}

interface Place {
  at: string;
  faults: string[];
}

const HOSTS = "hosts: name, name:port, *.domain, [IPv6]:port";
const PATHS = "paths: absolute, or from $ROOTS, $TOOL, $TMP or $HOME";

/** What an entry of each list must be, in words and as a check. */
const LISTS: Readonly<Record<string, readonly [string, (entry: string) => boolean]>> = {
  net: [HOSTS, (entry) => parseHostRule(entry) !== undefined],
  import: [HOSTS, (entry) => parseHostRule(entry) !== undefined],
  read: [PATHS, isPath],
  write: [PATHS, isPath],
  env: [
    "names of secrets, SKILLZ_…, also with * at the end",
    (entry) => /^SKILLZ_[A-Za-z0-9_]*\*?$/.test(entry),
  ],
  run: ["names or absolute paths of programs", (entry) => entry !== ""],
  sys: ["names of Deno's --allow-sys", (entry) => entry !== ""],
};

function readPermissions(value: unknown, { at, faults }: Place): Permissions {
  if (!isJsonObject(value)) {
    faults.push(`[policy] ${at} is no table of permissions`);
    return {};
  }
  const found: JsonObject = {};
  for (const [field, entry] of Object.entries(value)) {
    const fault = faultOf(field, entry);
    if (fault !== undefined) faults.push(`[policy] ${at}.${field} ${fault}`);
    else if (entry !== false) found[field] = entry;
  }
  return found as Permissions;
}

function faultOf(field: string, value: unknown): string | undefined {
  if (field === "ffi") return typeof value === "boolean" ? undefined : "is neither true nor false";
  const rule = Object.hasOwn(LISTS, field) ? LISTS[field] : undefined;
  if (rule === undefined) return `is not known; ${[...Object.keys(LISTS), "ffi"].join(", ")} are`;
  if (field === "net" && typeof value === "boolean") return undefined;
  const [wanted, isGood] = rule;
  if (!Array.isArray(value)) return `is no list of ${wanted}`;
  const bad = value.findIndex((entry) => typeof entry !== "string" || !isGood(entry));
  return bad < 0 ? undefined : `holds ${JSON.stringify(value[bad])}, wanted are ${wanted}`;
}

function isPath(entry: string): boolean {
  if (entry.includes("\0") || entry.split(/[/\\]/).includes("..")) return false;
  return /^(?:\/|[a-zA-Z]:[/\\]|\$(?:ROOTS|TOOL|TMP|HOME)(?:[/\\]|$))/.test(entry);
}
