import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Attack, Language, TestMode } from "./attack.ts";
import type { Attempt } from "./batch.ts";

/** Cells of the table of attacks. */
export type AttackRows = Map<string, Partial<Record<TestMode, string>>>;

/** Columns of the table of attacks. */
export const MODES: readonly TestMode[] = ["bubblewrap", "nsjail", "firejail", "deno", "wasm"];

const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  python: "Python",
  typescript: "TypeScript",
  bash: "bash",
  wasm: "WebAssembly",
};
const LANGUAGES = Object.keys(LANGUAGE_NAMES) as Language[];

const DOCS = fileURLToPath(new URL("../../docs/security.md", import.meta.url));

/** What held an attack, told from what its code ran into. */
const REASONS: readonly [RegExp, string][] = [
  [/refused by the proxy/, "proxy"],
  [/Capabilities insufficient/, "not granted"],
  [/no sockets/, "no sockets"],
  [/Bad address/, "bounds of its memory"],
  [/Requires \w+ access|NotCapable|denied$/, "Deno permission"],
  [/a stand-in|own namespace/, "stand-in"],
  [/No such process/, "own process ids"],
  [/Read-only file system|EROFS/, "read-only view"],
  [/not implemented/, "filter"],
  [
    /not permitted|EPERM|Address family not supported|Protocol not supported|Protocol wrong/,
    "filter or no privilege",
  ],
  [
    /refused|unreachable|resolution|resolve host|not known|failed to lookup|fetch failed|timed out|Invalid argument: .*tcp/i,
    "own network",
  ],
  [/No such file|NotFound|ENOENT|not there|cannot access|KeyError|not set/, "out of sight"],
  [/Permission denied|EACCES/, "access rights"],
];

/** A word for what held an attack. */
export function reason({ through, detail }: Attempt): string {
  if (through) return "private copy";
  return REASONS.find(([pattern]) => pattern.test(detail))?.[1] ?? "held";
}

/** The table attack × mode. */
export function attackTable(attacks: readonly Attack[], rows: AttackRows): string {
  const lines = attacks.map((attack) => {
    const spoken = LANGUAGES.filter((language) => attack.code[language]);
    const cells = MODES.map((mode) => rows.get(attack.id)?.[mode] ?? "–");
    return `| ${attack.what} | ${spoken.map((language) => LANGUAGE_NAMES[language]).join(", ")} | ${
      cells.join(" | ")
    } |`;
  });
  return [`| attack | in | ${MODES.join(" | ")} |`, `| --- | --- |${" --- |".repeat(MODES.length)}`, ...lines]
    .join("\n");
}

/** How many attacks were made in which language under which mode. */
export function countTable(
  attacks: readonly Attack[],
  made: readonly { mode: TestMode; language: Language; attacks: readonly Attack[] }[],
): string {
  const count = (want: { mode?: TestMode; language?: Language }) =>
    made.filter(({ mode, language }) =>
      (want.mode ?? mode) === mode && (want.language ?? language) === language
    ).reduce((sum, each) => sum + each.attacks.length, 0);
  const row = (name: string, want: { language?: Language }) =>
    `| ${name} | ${MODES.map((mode) => count({ mode, ...want }) || "–").join(" | ")} | ${count(want)} |`;
  return [
    `| ${attacks.length} attacks | ${MODES.join(" | ")} | made |`,
    `| --- |${" --- |".repeat(MODES.length + 1)}`,
    ...LANGUAGES.map((language) => row(LANGUAGE_NAMES[language], { language })),
    row("all", {}),
  ].join("\n");
}

/**
 * Compares a generated part of docs/security.md with what it should be; with `SKILLZ_UPDATE_DOCS=1` writes it instead.
 * Why an attack was held may differ between machines (root or not), whether it was must not.
 */
export async function checkDocs(name: string, table: string): Promise<void> {
  const text = await readFile(DOCS, "utf8");
  const [begin, end] = [`<!-- generated: ${name} -->`, `<!-- end: ${name} -->`];
  const from = text.indexOf(begin) + begin.length;
  const to = text.indexOf(end);
  assert.ok(from >= begin.length && to >= from, `docs/security.md lacks the markers of ${name}`);
  if (Deno.env.get("SKILLZ_UPDATE_DOCS") === "1") {
    await writeFile(DOCS, `${text.slice(0, from)}\n\n${table}\n\n${text.slice(to)}`);
    return;
  }
  assert.deepEqual(
    essence(text.slice(from, to)),
    essence(table),
    "run the tests with SKILLZ_UPDATE_DOCS=1 and commit docs/security.md",
  );
}

/** Rows as cells, without the padding of the formatter, and without the reason of what was held. */
function essence(table: string): string[][] {
  const words = new Set([...REASONS.map(([, word]) => word), "held", "private copy"]);
  return table.trim().split("\n").filter((line) => line.startsWith("|") && !/^[|\s:-]+$/.test(line))
    .map((line) =>
      line.split("|").slice(1, -1).map((cell) => cell.trim()).map((cell) => words.has(cell) ? "held" : cell)
    );
}
