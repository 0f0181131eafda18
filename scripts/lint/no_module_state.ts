import { placeOf } from "./_source_place.ts";

/** State belongs to objects that somebody made and will close; a module that holds some can't exist twice. */
export const noModuleState: Deno.lint.Rule = {
  create(context) {
    if (!placeOf(context.filename).startsWith("src/")) return {};
    return {
      VariableDeclaration(node) {
        const atTop = node.parent.type === "Program" ||
          (node.parent.type === "ExportNamedDeclaration" && node.parent.parent.type === "Program");
        if (atTop && !node.declare && (node.kind === "let" || node.kind === "var")) {
          context.report({
            node,
            message: "No mutable state at module level: put it into an object that is handed down",
          });
        }
      },
    };
  },
};
