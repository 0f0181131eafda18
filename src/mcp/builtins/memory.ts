import { z } from "zod";
import { SkillzError } from "../../base/errors.ts";
import { isJsonObject, jsonTypeOf, type JsonValue } from "../../base/json.ts";
import { okResult, type ToolResult } from "../../base/tool_result.ts";
import type { MemoryEntry, MemoryStore } from "../../memory/memory_store.ts";
import type { Builtin } from "../builtin.ts";

const ttl = z.int().positive().describe("Seconds until it expires");
const json: z.ZodType<JsonValue> = z.json();

const input = z.strictObject({
  action: z.enum(["store", "get", "list", "delete", "stats", "update", "bulk_store", "search"]),
  tool_name: z.string().min(1).max(64).default("default").describe("Namespace: a tool's name, or any word"),
  key: z.string().min(1).optional(),
  value: json.optional().describe("Any JSON; for update an object that is merged in; for search the words"),
  ttl: ttl.optional(),
  entries: z.array(z.strictObject({ key: z.string().min(1), value: json, ttl: ttl.optional() })).min(1)
    .optional()
    .describe("For bulk_store: all are stored or none"),
  prefix: z.string().optional().describe("For list"),
  query: z.string().optional().describe("For search"),
  limit: z.int().positive().max(1000).default(100),
});

type Input = z.output<typeof input>;

const output = z.looseObject({ success: z.boolean() });

/** `memory`: persistent key-value storage, one namespace for each tool. */
export function createMemoryTool(memory: MemoryStore): Builtin<typeof input> {
  return {
    name: "memory",
    title: "Memory",
    description:
      "Persistent key-value storage with expiry: store, get, list, delete, stats, update (merge), bulk_store, search.",
    skill: "memory",
    input,
    output,
    annotations: { destructiveHint: true, openWorldHint: false },
    run: (args) => ACTIONS[args.action](args, memory),
  };
}

const ACTIONS: Record<Input["action"], (args: Input, memory: MemoryStore) => Promise<ToolResult>> = {
  async store(args, memory) {
    const key = needed(args, "key");
    await memory.set(args.tool_name, key, needed(args, "value"), expiry(args.ttl));
    return okResult(`Stored "${key}" in ${args.tool_name}${args.ttl ? ` for ${args.ttl} s` : ""}`, {
      success: true,
      key,
    });
  },
  async get(args, memory) {
    const key = needed(args, "key");
    const entry = await memory.get(args.tool_name, key);
    if (!entry) {
      return okResult(`Nothing is stored under "${key}" in ${args.tool_name}`, {
        success: true,
        found: false,
        value: null,
      });
    }
    return okResult(asText(entry.value), { success: true, found: true, ...entry });
  },
  async list(args, memory) {
    // One more than asked for, to know whether there is more.
    const options = { limit: args.limit + 1, ...(args.prefix === undefined ? {} : { prefix: args.prefix }) };
    return entriesResult(await memory.list(args.tool_name, options), args);
  },
  async delete(args, memory) {
    const key = needed(args, "key");
    const deleted = await memory.delete(args.tool_name, key);
    return okResult(deleted ? `Deleted "${key}"` : `Nothing was stored under "${key}"`, {
      success: true,
      deleted,
    });
  },
  async stats(args, memory) {
    const stats = await memory.stats(args.tool_name === "default" ? undefined : args.tool_name);
    const text = `${stats.entries} entries, ${stats.bytes} bytes in ${stats.namespaces} namespaces`;
    return okResult(text, { success: true, ...stats });
  },
  async update(args, memory) {
    const key = needed(args, "key");
    const patch = needed(args, "value");
    if (!isJsonObject(patch)) {
      throw new SkillzError(
        "invalid_input",
        `Cannot update "${key}": value is ${jsonTypeOf(patch)}, an object is merged in`,
      );
    }
    const value = await memory.update(args.tool_name, key, patch, expiry(args.ttl));
    return okResult(asText(value), { success: true, key, value });
  },
  async bulk_store(args, memory) {
    const entries = needed(args, "entries").map(({ key, value, ttl }) => ({ key, value, ...expiry(ttl) }));
    await memory.bulkSet(args.tool_name, entries);
    return okResult(`Stored ${entries.length} entries in ${args.tool_name}`, {
      success: true,
      stored: entries.length,
    });
  },
  async search(args, memory) {
    const query = args.query ?? (typeof args.value === "string" ? args.value : undefined);
    if (query === undefined) throw missing(args.action, "query");
    return entriesResult(await memory.search(args.tool_name, query, { limit: args.limit }), args);
  },
};

/** Characters of values in one answer; beyond it a value is read by its key. */
const MAX_SHOWN = 256 * 1024;

function entriesResult(found: readonly MemoryEntry[], { tool_name, limit }: Input): ToolResult {
  const entries = found.slice(0, limit);
  let room = MAX_SHOWN;
  const shown = entries.map(({ value, ...entry }) => {
    const size = asText(value).length;
    room -= size;
    return room >= 0 ? { ...entry, value } : { ...entry, left_out: true, characters: size };
  });
  const lines = entries.map((e) => `${e.key} = ${shorten(asText(e.value))}`);
  if (found.length > limit) {
    lines.push(`… there are more than ${limit}: raise limit (to 1000), or give a prefix`);
  }
  if (room < 0) lines.push("Values that are left out here are read one by one: action get with key");
  return okResult(lines.length ? lines.join("\n") : `No entries in ${tool_name}`, {
    success: true,
    keys: entries.map((e) => e.key),
    entries: shown,
    ...(found.length > limit ? { more: true } : {}),
  });
}

function needed<K extends "key" | "value" | "entries">(
  args: Input,
  field: K,
): Exclude<Input[K], undefined> {
  const value = args[field];
  if (value === undefined) throw missing(args.action, field);
  return value as Exclude<Input[K], undefined>;
}

function missing(action: string, field: string): SkillzError {
  return new SkillzError(
    "invalid_input",
    `Cannot ${action.replace("_", " ")}: ${field} is missing, memory ${action} needs it`,
  );
}

function expiry(ttl: number | undefined): { ttl?: number } {
  return ttl === undefined ? {} : { ttl };
}

function asText(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function shorten(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}… (${text.length} characters)` : text;
}
