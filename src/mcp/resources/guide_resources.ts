import { loadLate } from "../../base/load_late.ts";
import type { ResourceContents, ResourceListing } from "../ports.ts";
import type { GuideDeps } from "./guide_texts.ts";
import type { ResourceProvider } from "./resource_provider.ts";

const MARKDOWN = "text/markdown";

const LISTINGS: readonly ResourceListing[] = [
  {
    uri: "skillz://guide",
    name: "guide",
    title: "How to make tools",
    description: "Read this first: how to write each kind of tool, and what is here now",
    mimeType: MARKDOWN,
  },
  {
    uri: "skillz://examples",
    name: "examples",
    title: "Example tools",
    description: "Tools in several languages, ready to register",
    mimeType: MARKDOWN,
  },
  {
    uri: "skillz://protocol",
    name: "protocol",
    title: "Script protocol",
    description: "What a script and the server say to each other, line by line",
    mimeType: MARKDOWN,
  },
  {
    uri: "skillz://schemas/manifest",
    name: "manifest-schema",
    title: "Schema of manifest.json",
    description: "JSON Schema of a tool's manifest",
    mimeType: "application/schema+json",
  },
];

/** `skillz://guide`, `skillz://examples`, `skillz://protocol`, `skillz://schemas/manifest`. */
export function createGuideResources(deps: GuideDeps): ResourceProvider {
  return {
    list: () => LISTINGS,
    templates: () => [],
    async read(uri): Promise<readonly ResourceContents[] | undefined> {
      const listing = LISTINGS.find((one) => one.uri === uri);
      if (listing?.mimeType === undefined) return undefined;
      const { GUIDE_TEXTS } = await loadLate<typeof import("./guide_texts.ts")>(
        new URL("./guide_texts.ts", import.meta.url),
      );
      const text = await GUIDE_TEXTS[uri]?.(deps);
      if (text === undefined) return undefined;
      return [{ uri, mimeType: listing.mimeType, text }];
    },
    affected: (event) => event.kind === "memory" ? [] : ["skillz://guide"],
  };
}
