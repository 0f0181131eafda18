/** Most characters of a description in a list of many. */
const MOST = 200;

/** A description in one line: the whole of a short one, the first sentence or the beginning of a long one. */
export function briefly(description: string): string {
  const line = description.replaceAll(/\s+/g, " ");
  if (line.length <= MOST) return line;
  const start = line.slice(0, MOST);
  return `${/^.{20,}?[.!?](?= )/.exec(start)?.[0] ?? start.toWellFormed()} …`;
}
