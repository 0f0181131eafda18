/** A fenced block of a Markdown file that a reader would run or copy. */
export interface Snippet {
  /** Line of its fence. */
  line: number;
  /** Its language in one spelling: `sh`, `ts`, `js`, `json`, `jsonc`, `toml`, `python`, … */
  language: string;
  /** What is between the fences. */
  code: string;
  /** What the comment before it says after `test:`; undefined when there is none. */
  mark?: string;
}

const SPELLINGS: Readonly<Record<string, string>> = {
  bash: "sh",
  shell: "sh",
  console: "sh",
  zsh: "sh",
  typescript: "ts",
  javascript: "js",
  mjs: "js",
  py: "python",
  rb: "ruby",
  rs: "rust",
};

/** Languages of blocks that show something and are not run: drawings, answers, texts. */
const SHOWN: ReadonlySet<string> = new Set(["", "text", "mermaid", "diff", "md", "markdown"]);

/**
 * The blocks of a Markdown text that must be marked, with their marks. A mark is a comment on the line before the fence
 * (blank lines between do not matter): `<!-- test: run -->`; see `tests/docs/snippets_test.ts` for what it may say.
 */
export function snippetsOf(markdown: string): Snippet[] {
  const found: Snippet[] = [];
  const lines = markdown.split("\n");
  let mark: string | undefined;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const [, indent, fence, info] = /^(\s*)(`{3,}|~{3,})\s*([^`]*)$/.exec(line) ?? [];
    if (fence === undefined) {
      const marked = /^\s*<!--\s*test:\s*(.*?)\s*-->\s*$/.exec(line)?.[1];
      if (marked !== undefined) mark = marked;
      else if (line.trim() !== "") mark = undefined;
      continue;
    }
    const begin = at;
    const code: string[] = [];
    for (at++; at < lines.length && !isEnd(lines[at] ?? "", fence); at++) {
      code.push((lines[at] ?? "").replace(new RegExp(`^\\s{0,${indent?.length ?? 0}}`), ""));
    }
    const word = (info ?? "").trim().split(/\s/)[0]?.toLowerCase() ?? "";
    const language = SPELLINGS[word] ?? word;
    if (!SHOWN.has(language)) {
      const snippet: Snippet = { line: begin + 1, language, code: `${code.join("\n")}\n` };
      found.push(mark === undefined ? snippet : { ...snippet, mark });
    }
    mark = undefined;
  }
  return found;
}

function isEnd(line: string, fence: string): boolean {
  const text = line.trim();
  return text.startsWith(fence) && text.split("").every((char) => char === fence[0]);
}
