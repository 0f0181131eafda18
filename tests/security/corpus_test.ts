import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { needs } from "../support/needs.ts";
import type { Attack, Language, Place, TestMode } from "./attack.ts";
import { ATTACKS } from "./attacks/all.ts";
import { type Attempt, codeOf, runBatch } from "./batch.ts";
import { openPlace } from "./place.ts";

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

/** What went wrong, one line each: escapes, and twins that were held. */
async function judge(attacks: readonly Attack[], { mode, attempts, place }: Facts): Promise<string[]> {
  const problems: string[] = [];
  for (const { id, gaps, victim } of attacks) {
    const attack = attempts.get(id);
    const twin = attempts.get(`${id} (allowed)`);
    const escaped = victim === undefined ? attack?.through : await isChanged(victim(place));
    if (escaped && gaps?.[mode] === undefined) problems.push(`${id} ESCAPED: ${attack?.detail}`);
    if (!twin?.through) problems.push(`${id} twin was held: ${twin?.detail}`);
  }
  return problems;
}

async function isChanged(path: string): Promise<boolean> {
  return (await readFile(path, "utf8").catch(() => "")).includes("mine");
}
