import { placeOf } from "./_source_place.ts";

/** First and last piece of a message's text; undefined where it is not known before the program runs. */
interface MessageEnds {
  first: string | undefined;
  last: string | undefined;
}

/** Error classes whose message is not their first argument. */
const MESSAGE_POSITION: Readonly<Record<string, number>> = { SkillzError: 1, AggregateError: 1 };

/** Messages of errors follow the grammar of `src/base/errors.ts`; what tests throw, nobody reads. */
export const errorMessage: Deno.lint.Rule = {
  create(context) {
    if (placeOf(context.filename).startsWith("tests/")) return {};
    return {
      NewExpression(node) {
        if (node.callee.type !== "Identifier" || !node.callee.name.endsWith("Error")) return;
        const argument = node.arguments[MESSAGE_POSITION[node.callee.name] ?? 0];
        if (!argument) return;
        const { first, last } = endsOf(argument);
        const report = (message: string) => context.report({ node: argument, message });
        if (first === "" && last === "") report("An error needs a message");
        if (first && /^(error|err|failed|failure|oops|sorry)\b\s*:/i.test(first)) {
          report("An error message names what can't be done, not that it is an error");
        } else if (first && /^[^A-Z"'`]/.test(first)) report("An error message starts with a capital letter");
        if (last && /[.!]\s*$/.test(last)) report("An error message has no final period or exclamation mark");
      },
    };
  },
};

function endsOf(node: Deno.lint.Node): MessageEnds {
  if (node.type === "Literal" && typeof node.value === "string") {
    return { first: node.value, last: node.value };
  }
  if (node.type === "TemplateLiteral") {
    return { first: known(node.quasis[0], node), last: known(node.quasis.at(-1), node) };
  }
  if (node.type === "BinaryExpression" && node.operator === "+") {
    return { first: endsOf(node.left).first, last: endsOf(node.right).last };
  }
  return { first: undefined, last: undefined };
}

/** An empty piece at the edge of a template means that a value stands there. */
function known(piece: Deno.lint.TemplateElement | undefined, template: Deno.lint.TemplateLiteral) {
  return piece?.cooked === "" && template.expressions.length > 0 ? undefined : piece?.cooked;
}
