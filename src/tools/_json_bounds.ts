/** Deeper values overflow the stack of programs that read them. */
const MAX_DEPTH = 256;
/** More parts are data that belongs into a file. */
const MAX_PARTS = 5_000_000;

/**
 * What makes a JSON value unfit to be handed on, whatever a schema says; undefined when nothing does.
 * `__proto__` as a key is refused: harmless after parsing, it changes all objects once a tool merges it into another.
 */
export function treeFault(root: unknown): string | undefined {
  // A list of its own instead of recursion, so that no depth can overflow this stack.
  const stack: { value: object; depth: number }[] = [];
  let parts = 0;
  const push = (value: unknown, depth: number) => {
    parts++;
    if (typeof value === "object" && value !== null) stack.push({ value, depth });
  };
  push(root, 1);
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (next.depth > MAX_DEPTH) return `is nested deeper than ${MAX_DEPTH} levels`;
    if (parts > MAX_PARTS) return `has more than ${MAX_PARTS} parts`;
    if (Array.isArray(next.value)) {
      for (const member of next.value) push(member, next.depth + 1);
      continue;
    }
    for (const [key, member] of Object.entries(next.value)) {
      if (key === "__proto__") return "holds the key __proto__, which is not let through";
      push(member, next.depth + 1);
    }
  }
  return undefined;
}
