const MAX_WORDS = 32;
const MAX_CHARACTERS = 1000;

/** What the tokenizer makes a word of; anything else separates words. */
const WORD_CHARACTER = /[\p{L}\p{N}\p{Co}]/u;

/**
 * An FTS5 expression for what somebody typed: every word must occur, as a word or its beginning. Each is quoted, so
 * that no operator of the query language is ever seen. `undefined` when there is nothing to search for.
 */
export function searchQuery(namespace: string, typed: string): string | undefined {
  const words = typed.slice(0, MAX_CHARACTERS).toWellFormed().split(/[\s\0]+/).filter((w) =>
    WORD_CHARACTER.test(w)
  );
  if (words.length === 0) return undefined;
  const wanted = words.slice(0, MAX_WORDS).map((word) => `{key value} : ${quote(word)} *`);
  // Narrows the index to the namespace; the exact comparison is the statement's. A name without words can't narrow.
  if (WORD_CHARACTER.test(namespace)) wanted.unshift(`tool : ${quote(namespace)}`);
  return wanted.join(" AND ");
}

function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
