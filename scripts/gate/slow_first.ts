/**
 * Test files that take long, the longest first. They are begun first, so that no worker is left alone with one of them
 * at the end; the gate's own list of what took longest tells when this one should change.
 */
export const SLOW: readonly string[] = [
  "tests/install/pip_test.ts",
  "tests/e2e/guide_test.ts",
  "tests/mcp/clients/stdio_clients_test.ts",
  "tests/e2e/clients/python_clients_test.ts",
  "tests/e2e/clients/sdk_clients_test.ts",
  "tests/e2e/composition_test.ts",
  "tests/e2e/lives_test.ts",
  "tests/e2e/dependencies_test.ts",
  "tests/run/languages_test.ts",
  "tests/conformance/conformance_test.ts",
  "tests/security/resources_test.ts",
  "tests/install/uv_test.ts",
  "tests/e2e/command_line_test.ts",
  "tests/author/build_with_cargo_test.ts",
  "tests/author/build_rust_test.ts",
  "tests/scripts/compile_test.ts",
  "tests/scripts/publish_test.ts",
];

/** The same files, the slow ones first. */
export function slowFirst(files: readonly string[]): string[] {
  const rank = (file: string) => {
    const index = SLOW.indexOf(file);
    return index === -1 ? SLOW.length : index;
  };
  return files.toSorted((a, b) => rank(a) - rank(b));
}
