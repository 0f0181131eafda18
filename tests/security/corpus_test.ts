import assert from "node:assert/strict";
import { needs } from "../support/needs.ts";
import type { Attack, Language, Place, TestMode } from "./attack.ts";
import { ATTACKS } from "./attacks/all.ts";
import { type Attempt, codeOf, runBatch } from "./batch.ts";
import { openPlace } from "./place.ts";
import { isReached } from "./reached.ts";
import { type AttackRows, attackTable, checkDocs, reason } from "./tables.ts";

/** By what each attack was held, as the tests below find it. */
const TABLE: AttackRows = new Map();

const PROGRAMS: Readonly<Record<TestMode, string>> = {
  bubblewrap: "bwrap",
  firejail: "firejail",
  nsjail: "nsjail",
  deno: "deno",
};
const INTERPRETERS: Readonly<Record<Language, string>> = {
  python: "python3",
  typescript: "deno",
  bash: "bash",
};

for (const mode of ["bubblewrap", "firejail", "nsjail", "deno"] as const) {
  // Without an OS sandbox only Deno's flags hold anything.
  for (
    const language of mode === "deno" ? ["typescript"] as const : ["python", "typescript", "bash"] as const
  ) {
    for (const nested of [false, true]) {
      const attacks = ATTACKS.filter((attack) =>
        (attack.nested ?? false) === nested && attack.code[language] !== undefined
      );
      Deno.test({
        name: `${mode} holds ${attacks.length} attacks in ${language}${
          nested ? " in a workspace with TOOLS_DIR" : ""
        } and lets their twins through`,
        ignore: needs(PROGRAMS[mode], INTERPRETERS[language]),
        async fn() {
          Deno.env.set("SKILLZ_TEST_SERVER_SECRET", "leaked");
          await using place = await openPlace(mode === "deno" ? "none" : mode);
          const attempts = await attempt(place, { language, attacks, nested });
          assert.equal(place.arrived(), 0, "datagrams arrived at the host");
          assert.deepEqual(await judge(attacks, { mode, attempts, place }), []);
        },
      });
    }
  }
}

interface Round {
  language: Language;
  attacks: readonly Attack[];
  nested: boolean;
}

/** Twins come first, so that what an attack breaks does not count for them. */
async function attempt(place: Place, { language, attacks, nested }: Round): Promise<Map<string, Attempt>> {
  const attempts = new Map<string, string>();
  for (const allowed of [true, false]) {
    for (const attack of attacks) {
      const code = codeOf(attack, { language, place, allowed });
      if (code !== undefined) attempts.set(`${attack.id}${allowed ? " (allowed)" : ""}`, code);
    }
  }
  return await runBatch(place, { language, attempts, nested });
}

interface Facts {
  mode: TestMode;
  attempts: ReadonlyMap<string, Attempt>;
  place: Place;
}

/** What went wrong, one line each: escapes, and twins that were held. Fills the table. */
async function judge(attacks: readonly Attack[], { mode, attempts, place }: Facts): Promise<string[]> {
  const problems: string[] = [];
  for (const attack of attacks) {
    const attempt = attempts.get(attack.id);
    const twin = attempts.get(`${attack.id} (allowed)`);
    if (attempt === undefined || !twin?.through) {
      problems.push(`${attack.id} twin was held: ${twin?.detail}`);
      continue;
    }
    const reached = await isReached(attack, { attempt, place });
    const gap = attack.gaps?.[mode];
    if (reached && gap === undefined) problems.push(`${attack.id} ESCAPED: ${attempt.detail}`);
    const row = TABLE.get(attack.id) ?? {};
    row[mode] ??= gap === undefined ? reason(attempt) : `**not held**: ${gap}`;
    TABLE.set(attack.id, row);
  }
  return problems;
}

Deno.test({
  name: "docs/security.md has the table of attacks as it is (SKILLZ_UPDATE_DOCS=1 writes it)",
  ignore: Object.values(PROGRAMS).some((name) => needs(name)) || needs("python3", "bash"),
  fn: () => checkDocs("attacks", attackTable(ATTACKS, TABLE)),
});
