import { loadLate } from "../../base/load_late.ts";
import type { CodeTool } from "../../run/code/code_tool.ts";
import type { SdkLanguage } from "../../run/code/render_sdk.ts";
import type { ResourceListing, TemplateListing } from "../ports.ts";
import { type ResourceProvider, unknownResource } from "./resource_provider.ts";

const PREFIX = "skillz://sdk/";
const TEMPLATE = "skillz://sdk/{language}{?query}";
/** Most signatures that a query finds. */
const MAX_HITS = 50;

const MIME_TYPES = {
  typescript: "application/typescript",
  python: "text/x-python",
} as const satisfies Record<SdkLanguage, string>;

const SDK_LANGUAGES = Object.keys(MIME_TYPES) as SdkLanguage[];

const LISTINGS: readonly ResourceListing[] = SDK_LANGUAGES.map((language) => ({
  uri: `${PREFIX}${language}`,
  name: `sdk-${language}`,
  title: `Tools as ${language === "python" ? "Python" : "TypeScript"} functions`,
  description: "Signatures of every tool, for writing code for execute_code",
  mimeType: MIME_TYPES[language],
}));

const TEMPLATES: readonly TemplateListing[] = [{
  uriTemplate: TEMPLATE,
  name: "sdk",
  description: "Signatures of the tools that a query finds, for writing code for execute_code",
}];

/** `skillz://sdk/typescript` and `skillz://sdk/python`, in full or with `?query=` for the tools that it finds. */
export function createSdkResources(deps: { tools(): readonly CodeTool[] }): ResourceProvider {
  return {
    list: () => LISTINGS,
    templates: () => TEMPLATES,
    async read(uri) {
      if (!uri.startsWith(PREFIX)) return undefined;
      const [path = "", search = ""] = uri.slice(PREFIX.length).split("?", 2);
      const language = SDK_LANGUAGES.find((one) => one === path);
      if (language === undefined) {
        throw unknownResource(uri, `languages are ${SDK_LANGUAGES.join(" and ")}`);
      }
      const query = new URLSearchParams(search).get("query") ?? "";
      return [{ uri, mimeType: MIME_TYPES[language], text: await textOf(language, query, deps.tools()) }];
    },
    complete(uriTemplate, argument) {
      if (uriTemplate !== TEMPLATE) return Promise.resolve(undefined);
      return Promise.resolve(argument.name === "language" ? [...SDK_LANGUAGES] : []);
    },
    affected: (event) => event.kind === "tool" ? LISTINGS.map((listing) => listing.uri) : [],
  };
}

async function textOf(language: SdkLanguage, query: string, all: readonly CodeTool[]): Promise<string> {
  const [{ renderSdk }, { searchTools }] = await Promise.all([
    loadLate<typeof import("../../run/code/render_sdk.ts")>(
      new URL("../../run/code/render_sdk.ts", import.meta.url),
    ),
    loadLate<typeof import("../../run/code/search_tools.ts")>(
      new URL("../../run/code/search_tools.ts", import.meta.url),
    ),
  ]);
  return renderSdk(language, query.trim() === "" ? all : searchTools(query, all, { limit: MAX_HITS }));
}
