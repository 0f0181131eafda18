import { CAPABILITIES, type EnforcerName } from "../../src/sandbox/capabilities.ts";
import { checkDocs } from "./tables.ts";

Deno.test("docs/security.md has the table of capabilities as it is (SKILLZ_UPDATE_DOCS=1 writes it)", async () => {
  const enforcers = Object.keys(CAPABILITIES) as EnforcerName[];
  const fields = Object.keys(CAPABILITIES.none) as (keyof typeof CAPABILITIES.none)[];
  const cell = (enforcer: EnforcerName, field: typeof fields[number]) => {
    const { state, note } = CAPABILITIES[enforcer][field];
    return note === undefined ? state : `${state}: ${note}`;
  };
  await checkDocs(
    "capabilities",
    [
      `| permission | ${enforcers.join(" | ")} |`,
      `| --- |${" --- |".repeat(enforcers.length)}`,
      ...fields.map((field) =>
        `| \`${field}\` | ${enforcers.map((enforcer) => cell(enforcer, field)).join(" | ")} |`
      ),
    ].join("\n"),
  );
});
