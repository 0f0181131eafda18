/** Most names that are proposed. */
const MOST = 5;

/** Names that someone who wrote `wanted` may have meant, the likeliest first. */
export function nearest(wanted: string, names: Iterable<string>): string[] {
  const word = plain(wanted);
  const rated = [...names].flatMap((name) => {
    const away = distanceOf(word, plain(name));
    return away === undefined ? [] : [{ name, away }];
  });
  return rated.sort((a, b) => a.away - b.away).slice(0, MOST).map(({ name }) => name);
}

/** `inputSchema` and `input_schema` are the same word. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/** How far two words are from each other; undefined when they have nothing in common. */
function distanceOf(a: string, b: string): number | undefined {
  if (a.length < 3 || b.length < 3) return a === b ? 0 : undefined;
  const edits = editDistance(a.slice(0, 64), b.slice(0, 64));
  if (edits <= Math.ceil(a.length / 5)) return edits;
  return a.includes(b) || b.includes(a) ? edits : undefined;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
