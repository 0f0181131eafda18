/**
 * The smallest text that comes after every text that starts with `prefix`, in the database's order (by code point);
 * `undefined` when there is none. A range needs no escaping, as LIKE would.
 */
export function prefixEnd(prefix: string): string | undefined {
  const points = Array.from(prefix, (char) => char.codePointAt(0) ?? 0);
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    if (last === 0x10ffff) continue;
    // Surrogates are no characters: the one after U+D7FF is U+E000.
    return String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1);
  }
  return undefined;
}
