/** Semantic Versioning 2.0.0: numbers without leading zeros, then perhaps a pre-release and a build. */
const SEMVER =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+[0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*)?$/;

/** The parts of a version that give its rank. */
interface Parts {
  numbers: [number, number, number];
  /** Identifiers of the pre-release, none for a release. */
  pre: string[];
}

/** Whether a text is a version in the form of semver, without a `v` before it, and short enough for a folder's name. */
export function isVersion(text: string): boolean {
  return parse(text) !== undefined;
}

/** For sorting: negative when `a` comes before `b`. Versions that differ only in their build go by their text. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [parse(a), parse(b)];
  if (!left || !right) return Number(left !== undefined) - Number(right !== undefined) || compareText(a, b);
  for (const [index, number] of left.numbers.entries()) {
    const difference = number - (right.numbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return comparePre(left.pre, right.pre) || compareText(a, b);
}

/** Options of {@linkcode nextVersion}. */
export interface NextVersionOptions {
  /** The number that was asked for. */
  given?: string | undefined;
  /** The current number. */
  from?: string | undefined;
}

/**
 * The number of the next state of a tool: `given` if no state had it before, else the first free one above it (or
 * above `from`) that differs in the patch. A number once used is never used again.
 */
export function nextVersion(used: ReadonlySet<string>, { given, from }: NextVersionOptions): string {
  if (given !== undefined && !used.has(given)) return given;
  const [major, minor, patch] = parse(given ?? from ?? "")?.numbers ?? [1, 0, -1];
  for (let next = patch + 1;; next++) {
    const version = `${major}.${minor}.${next}`;
    if (!used.has(version)) return version;
  }
}

function parse(text: string): Parts | undefined {
  const match = text.length <= 100 ? SEMVER.exec(text) : null;
  if (!match) return undefined;
  const numbers: Parts["numbers"] = [Number(match[1]), Number(match[2]), Number(match[3])];
  return numbers.every(Number.isSafeInteger) ? { numbers, pre: match[4]?.split(".") ?? [] } : undefined;
}

/** A release comes after its pre-releases; numbers go by value and before words; the shorter list comes first. */
function comparePre(a: readonly string[], b: readonly string[]): number {
  if (!a.length || !b.length) return b.length - a.length;
  for (const [index, left] of a.entries()) {
    const right = b[index];
    if (right === undefined) return 1;
    if (left === right) continue;
    const [leftNumeric, rightNumeric] = [/^\d+$/.test(left), /^\d+$/.test(right)];
    if (leftNumeric && rightNumeric) return Number(left) - Number(right);
    if (leftNumeric !== rightNumeric) return leftNumeric ? -1 : 1;
    return compareText(left, right);
  }
  return a.length - b.length;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
