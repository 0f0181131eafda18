import type { JsonObject } from "../../base/json.ts";
import type { MemoryEntry, MemoryStore } from "../../memory/memory_store.ts";
import type { Tool } from "../../tools/tool.ts";
import { type ResourceProvider, skillzSegments, unknownResource } from "./resource_provider.ts";

/** What the memory resources show. */
export interface MemoryResourcesDeps {
  readonly memory: Pick<MemoryStore, "list">;
  /** For completion: namespaces are mostly tools' names. */
  tools(): readonly Tool[];
}

/** Characters of values that are shown whole: a namespace may hold 100 MiB. */
const MAX_SHOWN = 2 * 1024 * 1024;

const TEMPLATE = "skillz://memory/{tool}";

/** `skillz://memory/{tool}`: everything that a tool has stored, as one JSON object. */
export function createMemoryResources({ memory, tools }: MemoryResourcesDeps): ResourceProvider {
  return {
    list: () => [],
    templates: () => [{
      uriTemplate: TEMPLATE,
      name: "memory",
      title: "A tool's memory",
      description: "Every key and value that a tool has stored",
      mimeType: "application/json",
    }],
    async read(uri) {
      const segments = skillzSegments(uri, "memory");
      if (!segments) return undefined;
      const [namespace, ...more] = segments;
      if (namespace === undefined || more.length > 0) throw unknownResource(uri);
      const text = JSON.stringify(shownEntries(await memory.list(namespace)), null, 2);
      return [{ uri, mimeType: "application/json", text }];
    },
    complete: (uriTemplate) =>
      Promise.resolve(uriTemplate === TEMPLATE ? tools().map((tool) => tool.name) : undefined),
    affected: (event) =>
      event.kind === "memory" ? [`skillz://memory/${encodeURIComponent(event.namespace)}`] : [],
  };
}

function shownEntries(entries: readonly MemoryEntry[]): JsonObject {
  let room = MAX_SHOWN;
  return Object.fromEntries(entries.map(({ key, value }) => {
    const size = JSON.stringify(value).length;
    room -= size;
    return [key, room >= 0 ? value : `… ${size} characters, read them with the tool memory`];
  }));
}
