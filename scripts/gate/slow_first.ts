/**
 * Test files that take long, the longest first. They are begun first, so that no worker is left alone with one of them
 * at the end; the gate's own list of what took longest tells when this one should change.
 */
const SLOW: readonly string[] = [
  "tests/scripts/compile_test.ts",
];

/** The same files, the slow ones first. */
export function slowFirst(files: readonly string[]): string[] {
  const rank = (file: string) => {
    const index = SLOW.indexOf(file);
    return index === -1 ? SLOW.length : index;
  };
  return files.toSorted((a, b) => rank(a) - rank(b));
}
