import { globalMember, takenFromGlobal } from "./_globals.ts";
import { visitImports } from "./_imports.ts";
import { layerOf, placeOf } from "./_source_place.ts";

const MODULES: ReadonlySet<string> = new Set([
  "node:child_process",
  "child_process",
  "node:cluster",
  "cluster",
]);
const STARTS = /^(Command|run|spawn\w*)$/;
const MESSAGE = "Only src/process/ starts programs";

/** Programs are started in one folder, so that groups, kills, caps and environments are right everywhere. */
export const noCommandOutsideProcess: Deno.lint.Rule = {
  create(context) {
    const place = placeOf(context.filename);
    if (!place.startsWith("src/") || layerOf(place) === "process") return {};
    return {
      ...visitImports(({ specifier, node }) => {
        if (MODULES.has(specifier)) context.report({ node, message: MESSAGE });
      }),
      MemberExpression(node) {
        if (STARTS.test(globalMember(node, "Deno") ?? "")) context.report({ node, message: MESSAGE });
      },
      VariableDeclarator(node) {
        if (takenFromGlobal(node, "Deno").some((name) => STARTS.test(name))) {
          context.report({ node, message: MESSAGE });
        }
      },
    };
  },
};
