/** The name of a property that is read from a global object, for `Deno.x`, `Deno["x"]` and `globalThis.Deno.x`. */
export function globalMember(node: Deno.lint.MemberExpression, object: string): string | undefined {
  if (!isGlobal(node.object, object)) return undefined;
  return memberName(node);
}

/** Names that a variable pattern takes out of a global object: `const { env, Command: C } = Deno`. */
export function takenFromGlobal(node: Deno.lint.VariableDeclarator, object: string): string[] {
  if (!node.init || !isGlobal(node.init, object) || node.id.type !== "ObjectPattern") return [];
  return node.id.properties.flatMap((property) =>
    property.type === "Property" && property.key.type === "Identifier" ? [property.key.name] : []
  );
}

function isGlobal(node: Deno.lint.Node, name: string): boolean {
  if (node.type === "Identifier") return node.name === name;
  return node.type === "MemberExpression" && node.object.type === "Identifier" &&
    node.object.name === "globalThis" && memberName(node) === name;
}

function memberName(node: Deno.lint.MemberExpression): string | undefined {
  if (node.property.type === "Identifier" && !node.computed) return node.property.name;
  if (node.property.type === "Literal" && typeof node.property.value === "string") return node.property.value;
  return undefined;
}
