import type { Manifest, Tool } from "./tool.ts";

type Offering = Pick<Tool, "name" | "manifest">;

const KINDS: Readonly<Record<string, (manifest: Manifest) => readonly (string | undefined)[]>> = {
  prompt: ({ prompts }) => prompts.map(({ name }) => name),
  resource: ({ resources }) => resources.map(({ uri }) => uri),
  "resource template": ({ resource_templates }) => resource_templates.map(({ uri_template }) => uri_template),
};

/** What of a tool's offers nobody reaches, because a tool before it offers the same; `tools` are in order. One line each. */
export function hiddenOffers(tool: Offering, tools: readonly Offering[]): string[] {
  return Object.entries(KINDS).flatMap(([kind, names]) =>
    names(tool.manifest).flatMap((offer) => {
      const first = tools.find(({ name, manifest }) =>
        name < tool.name && !manifest.disabled && names(manifest).includes(offer)
      );
      return first === undefined
        ? []
        : [`its ${kind} ${JSON.stringify(offer)} is not reached, that of the tool "${first.name}" is`];
    })
  );
}
