import { mkdir, readFile, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { atomicWrite } from "../base/atomic_write.ts";
import { lockFile } from "../base/file_lock.ts";
import { isJsonObject, type JsonObject, toJsonObject } from "../base/json.ts";
import type { Permissions } from "./permissions.ts";

/** What the user has confirmed for a tool. */
export interface Confirmed {
  /** Hash of the tool as it was then. */
  readonly hash: string;
  readonly permissions: Permissions;
  /** Whether the tool came from elsewhere, so that whatever more it asks for must be confirmed too. */
  readonly imported: boolean;
}

/** Remembers what was confirmed, for all servers of a TOOLS_DIR. */
export interface PolicyMemory {
  /** What was confirmed for a tool; changes by other servers are seen. */
  get(name: string): Promise<Confirmed | undefined>;
  /** Safe with other servers on the same file. */
  set(name: string, confirmed: Confirmed): Promise<void>;
  /** Forgets a tool that is gone. */
  remove(name: string): Promise<void>;
}

type Entries = ReadonlyMap<string, Confirmed>;

/** How long the file is not looked at again, in milliseconds: each call of a tool asks. */
const FRESH_MS = 100;

/** Keeps it in `path`; a file that can't be read counts as nothing confirmed. */
export function createPolicyMemory(path: string): PolicyMemory {
  let known: { stamp: string; entries: Entries; until: number } | undefined;
  /** Own changes so far: what was read before one of them is not kept. */
  let changes = 0;
  const read = async (): Promise<Entries> => {
    if (known && performance.now() < known.until) return known.entries;
    const until = performance.now() + FRESH_MS;
    const before = changes;
    const stamp = await stampOf(path);
    const entries = known?.stamp === stamp ? known.entries : await readEntries(path);
    if (changes === before) known = { stamp, until, entries };
    return entries;
  };
  const change = async (edit: (entries: Map<string, Confirmed>) => void) => {
    await mkdir(dirname(path), { recursive: true });
    await using _lock = await lockFile(`${path}.lock`);
    const entries = new Map(await readEntries(path));
    edit(entries);
    const tools = Object.fromEntries(
      [...entries].sort(([a], [b]) => a < b ? -1 : 1).map(
        ([name, entry]) => [name, toJsonObject(entry)],
      ),
    );
    // Nobody else's business which permissions which tool has.
    await atomicWrite(path, `${JSON.stringify({ version: 1, tools }, undefined, 2)}\n`, { mode: 0o600 });
    changes++;
    known = undefined;
  };
  return {
    get: async (name) => (await read()).get(name),
    set: (name, confirmed) => change((entries) => void entries.set(name, confirmed)),
    async remove(name) {
      if ((await read()).has(name)) await change((entries) => void entries.delete(name));
    },
  };
}

async function stampOf(path: string): Promise<string> {
  const info = await stat(path).catch(() => undefined);
  return info === undefined ? "" : `${info.ino}:${info.mtimeMs}:${info.size}`;
}

async function readEntries(path: string): Promise<Entries> {
  let data: unknown;
  try {
    data = JSON.parse(await readFile(path, "utf8"));
  } catch {
    return new Map();
  }
  const tools = isJsonObject(data) && isJsonObject(data.tools) ? data.tools : {};
  return new Map(
    Object.entries(tools).flatMap(([name, entry]) => isJsonObject(entry) ? [[name, toConfirmed(entry)]] : []),
  );
}

function toConfirmed({ hash, permissions, imported }: JsonObject): Confirmed {
  return {
    hash: typeof hash === "string" ? hash : "",
    permissions: (isJsonObject(permissions) ? permissions : {}) as Permissions,
    imported: imported === true,
  };
}
