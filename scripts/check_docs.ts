import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { print } from "./print.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const FILLER = new Set(
  "a an and are as for from in is it its of on one or the this to value with".split(" "),
);

/** The parts of `deno doc --json` (format 2) that are looked at. */
interface DocOutput {
  version: number;
  nodes: Record<string, { symbols: { name: string; declarations: Declaration[] }[] }>;
}

interface Documented {
  jsDoc?: { doc?: string };
  location: { filename: string; line: number };
}

interface Member extends Documented {
  name: string;
  tsType?: { kind?: string };
  accessibility?: string;
  isOverride?: boolean;
}

interface Declaration extends Documented {
  declarationKind: string;
  kind: string;
  def?: { properties?: Member[]; methods?: Member[]; implements?: unknown[]; extends?: unknown };
}

/**
 * Finds every exported name, and every public member of one, that has no comment or one that only repeats its name.
 * A member that is named after its type (`logger: Logger`, `signal: AbortSignal`) says all by that, and so does the
 * mark of a union (`type: "end"`).
 */
export function findUndocumented(output: DocOutput): string[] {
  if (output.version !== 2) {
    throw new Error(`Cannot check comments: deno doc writes format ${output.version}, not 2`);
  }
  const findings: string[] = [];
  const check = (path: string[], item: Documented) => {
    const problem = problemOf(path, item.jsDoc?.doc ?? "");
    if (!problem) return;
    const place = relative(ROOT, fileURLToPath(item.location.filename));
    findings.push(`${place}:${item.location.line + 1}: ${path.join(".")} ${problem}`);
  };
  for (const { symbols } of Object.values(output.nodes)) {
    for (const { name, declarations } of symbols) {
      // Of overloads the first one carries the comment.
      const [first] = declarations.filter((declaration) => declaration.declarationKind === "export");
      if (!first) continue;
      check([name], first);
      for (const member of publicMembers(first)) {
        if (member.jsDoc || !isNamedAfterType(member)) check([name, member.name], member);
      }
    }
  }
  return findings;
}

/** What an interface already says needs no second comment in the class that implements it. */
function publicMembers({ kind, def }: Declaration): Member[] {
  if (kind !== "interface" && kind !== "class") return [];
  const inherits = (def?.implements?.length ?? 0) > 0;
  return [...def?.properties ?? [], ...(inherits ? [] : def?.methods ?? [])].filter((member) =>
    member.accessibility === undefined && !member.isOverride && !member.name.startsWith("[") &&
    !(inherits && member.jsDoc === undefined)
  );
}

function isNamedAfterType({ name, tsType }: Member): boolean {
  if (name === "ctx" || tsType?.kind === "literal") return true;
  const types = new Set([...JSON.stringify(tsType ?? null).matchAll(/"typeName":"([^"]+)"/g)]
    .flatMap(([, type = ""]) => wordsOf(type).map(singular)));
  return types.has(singular(wordsOf(name).at(-1) ?? ""));
}

function singular(word: string): string {
  return word.replace(/s$/, "");
}

function problemOf(path: readonly string[], doc: string): string | undefined {
  const words = wordsOf(doc.replace(/\{@link(?:code)?\s+([^}]*)\}/g, "$1"));
  if (words.length === 0) return "has no comment";
  const known = new Set(path.flatMap(wordsOf));
  return words.every((word) => known.has(word) || FILLER.has(word)) && !/Options$/.test(path[0] ?? "")
    ? "has a comment that only repeats its name"
    : undefined;
}

function wordsOf(text: string): string[] {
  return text.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase().match(/\p{L}+/gu) ?? [];
}

async function sourceFiles(folder: string): Promise<string[]> {
  const files: string[] = [];
  for await (const entry of Deno.readDir(folder)) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory) files.push(...await sourceFiles(path));
    else if (entry.name.endsWith(".ts")) files.push(path);
  }
  return files.sort();
}

if (import.meta.main) {
  const files = await sourceFiles(`${ROOT}src`);
  const doc = await new Deno.Command(Deno.execPath(), { args: ["doc", "--json", ...files], cwd: ROOT })
    .output();
  if (!doc.success) {
    print(new TextDecoder().decode(doc.stderr));
    Deno.exit(1);
  }
  const findings = findUndocumented(JSON.parse(new TextDecoder().decode(doc.stdout)));
  for (const finding of findings) print(finding);
  print(`${files.length} files, ${findings.length} without a comment that says something`);
  Deno.exit(findings.length === 0 && files.length > 0 ? 0 : 1);
}
