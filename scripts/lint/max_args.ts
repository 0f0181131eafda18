import { placeOf } from "./_source_place.ts";

/**
 * A function that other files see takes at most two arguments, anything smaller (methods, private functions) at most
 * three; after them may stand the context of a call and an options object. Callbacks written in place are free: their
 * shape is given by whoever calls them.
 */
export const maxArgs: Deno.lint.Rule = {
  create(context) {
    if (!placeOf(context.filename).startsWith("src/")) return {};
    const check = (node: Deno.lint.Node, params: readonly Deno.lint.Parameter[], most: number) => {
      let count = params.filter((param) => !(param.type === "Identifier" && param.name === "this")).length;
      for (const param of params.slice(-2).reverse()) {
        if (!isTrailing(param)) break;
        count--;
      }
      if (count > most) {
        context.report({
          node,
          message: `${count} arguments, at most ${most} may stand before the context and the options object`,
          hint: "Put them into an object: the input of the function, or its options",
        });
      }
    };
    return {
      FunctionDeclaration: (node) => check(node, node.params, isExported(node) ? 2 : 3),
      MethodDefinition: (node) => check(node, node.value.params, 3),
      TSMethodSignature: (node) => check(node, node.params, 3),
      VariableDeclarator(node) {
        const { init } = node;
        if (init?.type !== "ArrowFunctionExpression" && init?.type !== "FunctionExpression") return;
        check(node, init.params, isExported(node.parent) ? 2 : 3);
      },
    };
  },
};

function isExported(node: Deno.lint.Node): boolean {
  return "parent" in node && /^Export/.test(node.parent.type);
}

/** Whether it is an options object or the context of a call, by its name, its type, or because it is taken apart. */
function isTrailing(param: Deno.lint.Parameter): boolean {
  if (param.type === "AssignmentPattern") return isTrailing(param.left as Deno.lint.Parameter);
  if (param.type === "TSParameterProperty") return isTrailing(param.parameter as Deno.lint.Parameter);
  if (param.type === "ObjectPattern") return true;
  if (param.type !== "Identifier") return false;
  if (/^(ctx|context|options|.*Options)$/.test(param.name)) return true;
  const type = param.typeAnnotation?.typeAnnotation;
  return type?.type === "TSTypeReference" && type.typeName.type === "Identifier" &&
    /(Options|Context)$/.test(type.typeName.name);
}
