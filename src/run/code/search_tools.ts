import type { CodeTool } from "./code_tool.ts";

/**
 * Tools by words of their names and descriptions, best first: a word in the name counts more than one in the
 * description, a rare word more than a common one. Small on purpose; knowledge is found by the skills' own search.
 */
export function searchTools(
  query: string,
  tools: readonly CodeTool[],
  options: { limit: number },
): CodeTool[] {
  const wanted = words(query);
  if (wanted.length === 0) return tools.slice(0, options.limit);
  const entries = tools.map((tool) => ({ tool, name: words(tool.name), text: words(tool.description) }));
  const weight = new Map(wanted.map((word) => {
    const holders = entries.filter(({ name, text }) => has(name, word) || has(text, word)).length;
    return [word, Math.log(1 + entries.length / (1 + holders))];
  }));
  const score = ({ name, text }: (typeof entries)[number]) =>
    wanted.reduce(
      (sum, word) => sum + (weight.get(word) ?? 0) * ((has(name, word) ? 3 : 0) + (has(text, word) ? 1 : 0)),
      0,
    );
  return entries
    .map((entry) => ({ tool: entry.tool, score: score(entry) }))
    .filter((entry) => entry.score > 0)
    .sort((a, b) => b.score - a.score || a.tool.name.localeCompare(b.tool.name))
    .slice(0, options.limit)
    .map((entry) => entry.tool);
}

function words(text: string): string[] {
  return text.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(Boolean);
}

function has(list: readonly string[], word: string): boolean {
  return list.some((one) => one === word || (word.length >= 3 && one.startsWith(word)));
}
