import { globalMember, takenFromGlobal } from "./_globals.ts";
import { visitImports } from "./_imports.ts";
import { placeOf } from "./_source_place.ts";

const SYNC = /.Sync$/;
const MESSAGE = "Nothing in src waits for the disk or a process synchronously: use the asynchronous twin";

/** While one call waits synchronously, every other session waits too. */
export const noSyncIo: Deno.lint.Rule = {
  create(context) {
    if (!placeOf(context.filename).startsWith("src/")) return {};
    return {
      ...visitImports(({ specifier, names, node }) => {
        if (specifier.startsWith("node:") && names.some((name) => SYNC.test(name))) {
          context.report({ node, message: MESSAGE });
        }
      }),
      MemberExpression(node) {
        const { object, property } = node;
        const name = globalMember(node, "Deno") ??
          (object.type === "Identifier" && property.type === "Identifier" && !node.computed
            ? property.name
            : "");
        if (SYNC.test(name)) context.report({ node, message: MESSAGE });
      },
      VariableDeclarator(node) {
        if (takenFromGlobal(node, "Deno").some((name) => SYNC.test(name))) {
          context.report({ node, message: MESSAGE });
        }
      },
    };
  },
};
