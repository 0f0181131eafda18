import { SkillzError } from "../../base/errors.ts";
import type { LargeResults } from "../../run/large_results.ts";
import type { TemplateListing } from "../ports.ts";
import { type ResourceProvider, unknownResource } from "./resource_provider.ts";

const PREFIX = "skillz://results/";
const TEMPLATES: readonly TemplateListing[] = [{
  uriTemplate: "skillz://results/{id}{?from,to}",
  name: "result",
  description: "A result that was too long to be sent whole, or the part of it between two bytes",
}];

/** `skillz://results/{id}`: results that were shortened for the session that reads them. */
export function createResultResources(deps: { readonly results: LargeResults }): ResourceProvider {
  return {
    list: () => [],
    templates: () => TEMPLATES,
    async read(uri, ctx) {
      if (!uri.startsWith(PREFIX)) return undefined;
      const [id = "", search = ""] = uri.slice(PREFIX.length).split("?", 2);
      const range = rangeOf(new URLSearchParams(search), uri);
      try {
        const { text, mimeType } = await deps.results.read(id, { ...range, sessionId: ctx.caller.sessionId });
        // A part of JSON is none.
        return [{ uri, mimeType: search === "" ? mimeType : "text/plain", text }];
      } catch (error) {
        if (!(error instanceof SkillzError) || error.code !== "not_found") throw error;
        throw unknownResource(
          uri,
          "it is not kept any more, or was made for another session; call the tool again",
        );
      }
    },
    complete: (uriTemplate) => Promise.resolve(uriTemplate === TEMPLATES[0]?.uriTemplate ? [] : undefined),
  };
}

function rangeOf(params: URLSearchParams, uri: string): { from?: number; to?: number } {
  const range: { from?: number; to?: number } = {};
  for (const name of ["from", "to"] as const) {
    const text = params.get(name);
    if (text === null) continue;
    if (!/^\d{1,15}$/.test(text)) throw unknownResource(uri, `${name} is no whole number of bytes`);
    range[name] = Number(text);
  }
  return range;
}
