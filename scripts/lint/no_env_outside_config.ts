import { globalMember, takenFromGlobal } from "./_globals.ts";
import { visitImports } from "./_imports.ts";
import { layerOf, placeOf } from "./_source_place.ts";

const MESSAGE = "Only src/config/ reads the environment; take what you need from the Config";

/** The environment is read once, in one folder. `homedir()` counts: it reads HOME. */
export const noEnvOutsideConfig: Deno.lint.Rule = {
  create(context) {
    const place = placeOf(context.filename);
    if (!(place.startsWith("src/") || place === "main.ts") || layerOf(place) === "config") return {};
    return {
      ...visitImports(({ specifier, names, node }) => {
        const reads = /^(node:)?process$/.test(specifier)
          ? names.some((name) => ["env", "default", "*"].includes(name))
          : /^(node:)?os$/.test(specifier) && names.includes("homedir");
        if (reads) context.report({ node, message: MESSAGE });
      }),
      MemberExpression(node) {
        if (globalMember(node, "Deno") === "env" || globalMember(node, "process") === "env") {
          context.report({ node, message: MESSAGE });
        }
      },
      VariableDeclarator(node) {
        if (
          takenFromGlobal(node, "Deno").includes("env") || takenFromGlobal(node, "process").includes("env")
        ) {
          context.report({ node, message: MESSAGE });
        }
      },
    };
  },
};
