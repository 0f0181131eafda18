import { basename } from "node:path";
import { isInside } from "../base/is_inside.ts";
import { coversHost, type HostRule, parseHostRule, sharesHost } from "./host_rule.ts";
import type { Permissions } from "./permissions.ts";

/** One thing that is granted or asked for: a host, a path, a name; `true` for any host and for native libraries. */
export interface PermissionItem {
  /** Where it stands in `permissions`. */
  readonly field: keyof Permissions;
  /** One entry of that list. */
  readonly value: string | true;
}

/**
 * The real paths that a path of a permission stands for: several where `$ROOTS` are several, none where there are none.
 * `$TOOL` and `$TMP` stay, they are different for each tool and call.
 */
export type PathView = (path: string) => readonly string[];

/** Order in which items are listed and shown. */
const FIELDS = ["net", "read", "write", "run", "env", "import", "sys", "ffi"] as const satisfies readonly (
  keyof Permissions
)[];

/** What permissions ask for, one by one, without what every tool has: its own folder and its private one. */
export function itemsOf(permissions: Permissions): PermissionItem[] {
  return FIELDS.flatMap((field): PermissionItem[] => {
    const value = permissions[field];
    if (value === undefined || value === false) return [];
    if (value === true) return [{ field, value }];
    return [...new Set(value)].filter((entry) => !isOwn(field, entry)).map((entry) => ({
      field,
      value: entry,
    }));
  });
}

/** The permissions that ask for exactly these items. */
export function toPermissions(items: readonly PermissionItem[]): Permissions {
  const texts = (field: keyof Permissions) =>
    items.filter((item) => item.field === field).map((item) => item.value);
  const entries = FIELDS.map((field) => [field, texts(field)] as const).filter(([, values]) =>
    values.length > 0
  );
  return Object.fromEntries(entries.map(([field, values]) => [field, values.includes(true) ? true : values]));
}

/** `net: ["a.example"], ffi: true`: permissions as a manifest has them, in one line. */
export function permissionText(permissions: Permissions): string {
  const items = toPermissions(itemsOf(permissions));
  return Object.entries(items).map(([field, value]) => `${field}: ${JSON.stringify(value)}`).join(", ");
}

/** Whether `list` holds all of the item. */
export function covers(
  list: Permissions,
  { field, value }: PermissionItem,
  options: { paths: PathView },
): boolean {
  switch (field) {
    case "net":
    case "import":
      return list[field] === true || someHost(list[field], { value, relation: coversHost });
    case "read":
      return holdsPath([...list.read ?? [], ...list.write ?? []], value, options);
    case "write":
      return holdsPath(list.write ?? [], value, options);
    case "ffi":
      return list.ffi === true;
    case "env":
      return (list.env ?? []).some((name) => nameMatches(name, String(value)));
    case "run":
    case "sys":
      return (list[field] ?? []).some((name) => name === value);
  }
}

/** Whether `list` holds some of the item. */
export function overlaps(
  list: Permissions,
  { field, value }: PermissionItem,
  options: { paths: PathView },
): boolean {
  switch (field) {
    case "net":
    case "import": {
      const hosts = list[field];
      if (hosts === true || value === true) return hosts === true || (hosts ?? []).length > 0;
      return someHost(hosts, { value, relation: sharesHost });
    }
    case "read":
      return meetsPath(list.read ?? [], value, options);
    case "write":
      // What may be written may be read.
      return meetsPath([...list.write ?? [], ...list.read ?? []], value, options);
    case "run":
      return (list.run ?? []).some((name) => name === value || basename(name) === basename(String(value)));
    case "ffi":
    case "env":
    case "sys":
      return covers(list, { field, value }, options);
  }
}

/** Every tool reads its own folder and writes to its private one. */
function isOwn(field: keyof Permissions, entry: string): boolean {
  if (field !== "read" && field !== "write") return false;
  return /^\$TMP(?:[/\\]|$)/.test(entry) || (field === "read" && /^\$TOOL(?:[/\\]|$)/.test(entry));
}

interface HostQuestion {
  value: string | true;
  relation: (rule: HostRule, wanted: HostRule) => boolean;
}

function someHost(rules: true | readonly string[] | undefined, { value, relation }: HostQuestion): boolean {
  const wanted = value === true ? undefined : parseHostRule(value);
  if (wanted === undefined || rules === true) return false;
  return (rules ?? []).map(parseHostRule).some((rule) => rule !== undefined && relation(rule, wanted));
}

interface PathOptions {
  paths: PathView;
}

function holdsPath(rules: readonly string[], value: string | true, { paths }: PathOptions): boolean {
  const folders = rules.flatMap(paths);
  return paths(String(value)).every((path) => folders.some((folder) => isInside(path, folder)));
}

function meetsPath(rules: readonly string[], value: string | true, { paths }: PathOptions): boolean {
  const folders = rules.flatMap(paths);
  return paths(String(value)).some((path) =>
    folders.some((folder) => isInside(path, folder) || isInside(folder, path))
  );
}

/** `SKILLZ_MAPS_*` stands for all names that begin so. */
function nameMatches(rule: string, name: string): boolean {
  return rule.endsWith("*") ? name.startsWith(rule.slice(0, -1)) : rule === name;
}
