import { dirname, join } from "node:path";
import { LAYERS } from "../layers.ts";
import { visitImports } from "./_imports.ts";
import { layerOf, placeOf } from "./_source_place.ts";

/** Imports go only where `scripts/layers.ts` lets them; src knows neither tests nor scripts, main.ts only cli. */
export const layers: Deno.lint.Rule = {
  create(context) {
    const place = placeOf(context.filename);
    const layer = layerOf(place);
    const isMain = place === "main.ts";
    if (!isMain && !place.startsWith("src/")) return {};
    return visitImports(({ specifier, node }) => {
      if (!specifier.startsWith(".")) return;
      const target = join(dirname(place), specifier);
      const wanted = layerOf(target);
      const report = (message: string) => context.report({ node, message });
      if (isMain) {
        if (wanted !== "cli") report("main.ts may import only src/cli/");
      } else if (layer === undefined || LAYERS[layer] === undefined) {
        report(`src/${layer ?? ""} is not in the table of scripts/layers.ts`);
      } else if (wanted === undefined) {
        // Data files (schemas, deno.json) may lie outside src; code may not.
        if (/\.[cm]?[jt]sx?$/.test(target)) report(`src may not import code from outside src: ${specifier}`);
      } else if (wanted !== layer && !LAYERS[layer].includes(wanted)) {
        report(`src/${layer}/ may not import src/${wanted}/: see scripts/layers.ts`);
      } else if (wanted !== layer && /\/_[^/]+$/.test(target)) {
        report(`${target} is private to its folder`);
      }
    });
  },
};
