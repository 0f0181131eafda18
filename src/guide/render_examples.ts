import { GUIDE_EXAMPLES, type GuideExample } from "./examples.ts";

/** All examples as Markdown: the code, and the rest of the call that makes the tool. */
export function renderExamples(examples: readonly GuideExample[] = GUIDE_EXAMPLES): string {
  return ["# Examples", ...examples.map(renderExample)].join("\n\n") + "\n";
}

function renderExample({ title, with: maker, language, arguments: { code, ...rest } }: GuideExample): string {
  const parts = [`## ${title}`];
  if (code !== undefined) parts.push("```" + language + "\n" + code.trimEnd() + "\n```");
  const shown = code === undefined ? rest : { ...rest, code: "…" };
  parts.push(`${maker}:`, "```json\n" + JSON.stringify(shown, null, 2) + "\n```");
  return parts.join("\n\n");
}
