import type { MemoryStore } from "../../memory/memory_store.ts";
import type { Tool } from "../../tools/tool.ts";
import { type ResourceProvider, skillzSegments, unknownResource } from "./resource_provider.ts";

/** What the memory resources show. */
export interface MemoryResourcesDeps {
  readonly memory: Pick<MemoryStore, "list">;
  /** For completion: namespaces are mostly tools' names. */
  tools(): readonly Tool[];
}

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
      const entries = await memory.list(namespace);
      const text = JSON.stringify(
        Object.fromEntries(entries.map((entry) => [entry.key, entry.value])),
        null,
        2,
      );
      return [{ uri, mimeType: "application/json", text }];
    },
    complete: (uriTemplate) =>
      Promise.resolve(uriTemplate === TEMPLATE ? tools().map((tool) => tool.name) : undefined),
    affected: (event) =>
      event.kind === "memory" ? [`skillz://memory/${encodeURIComponent(event.namespace)}`] : [],
  };
}
