import assert from "node:assert/strict";
import { needs } from "../support/needs.ts";
import type { Attack, Language, Place, Setting, TestMode } from "./attack.ts";
import { ATTACKS } from "./attacks/all.ts";
import { type Attempt, codeOf, runBatch } from "./batch.ts";
import { openPlace } from "./place.ts";
import { isReached } from "./reached.ts";
import { type AttackRows, attackTable, checkDocs, countTable, reason } from "./tables.ts";

/** By what each attack was held, as the tests below find it. */
const TABLE: AttackRows = new Map();

/** Attempts of attacks, without their twins, by how they were made. */
const MADE: Made[] = [];

const PROGRAMS: Readonly<Record<TestMode, string>> = {
  bubblewrap: "bwrap",
  firejail: "firejail",
  nsjail: "nsjail",
  deno: "deno",
  wasm: "wasm32-wasip1",
};
const INTERPRETERS: Readonly<Record<Language, string>> = {
  python: "python3",
  typescript: "deno",
  bash: "bash",
  wasm: "rustc",
};
const SCRIPTS = ["python", "typescript", "bash"] as const;
/** Without an OS sandbox only Deno's flags, and the runner of modules, hold anything. */
const LANGUAGES: Readonly<Record<TestMode, readonly Language[]>> = {
  bubblewrap: SCRIPTS,
  firejail: SCRIPTS,
  nsjail: SCRIPTS,
  deno: ["typescript"],
  wasm: ["wasm"],
};
const SETTINGS: Readonly<Record<Setting, string>> = {
  plain: "",
  nested: " in a workspace with TOOLS_DIR",
  online: " with some hosts granted",
};

for (const mode of Object.keys(LANGUAGES) as TestMode[]) {
  for (const language of LANGUAGES[mode]) {
    for (const setting of Object.keys(SETTINGS) as Setting[]) {
      const attacks = attacksOf(setting, language);
      if (attacks.length === 0) continue;
      Deno.test({
        name: `${mode} holds ${attacks.length} attacks in ${language}${
          SETTINGS[setting]
        } and lets their twins through`,
        ignore: needs(PROGRAMS[mode], INTERPRETERS[language]),
        async fn() {
          Deno.env.set("SKILLZ_TEST_SERVER_SECRET", "leaked");
          await using place = await openPlace(mode === "deno" || mode === "wasm" ? "none" : mode);
          const attempts = await attempt(place, { language, attacks, setting });
          assert.equal(place.arrived(), 0, "datagrams arrived at the host");
          assert.deepEqual(await judge(attacks, { mode, attempts, place }), []);
          assert.equal(place.hosts.intrusions(), 0, "servers of the host were reached");
          MADE.push({ mode, language, attacks });
        },
      });
    }
  }
}

interface Made {
  mode: TestMode;
  language: Language;
  attacks: readonly Attack[];
}

/** What makes no use of the network is tried again where there is one: the filter is another one then. */
function attacksOf(setting: Setting, language: Language): Attack[] {
  return ATTACKS.filter((attack) =>
    attack.code[language] !== undefined &&
    (attack.setting === undefined
      ? setting === "plain" || (setting === "online" && language !== "wasm")
      : attack.setting === setting)
  );
}

interface Round {
  language: Language;
  attacks: readonly Attack[];
  setting: Setting;
}

/** Twins come first, so that what an attack breaks does not count for them. */
async function attempt(place: Place, { language, attacks, setting }: Round): Promise<Map<string, Attempt>> {
  const attempts = new Map<string, string>();
  for (const allowed of [true, false]) {
    for (const attack of attacks) {
      const code = codeOf(attack, { language, place, allowed });
      if (code !== undefined) attempts.set(`${attack.id}${allowed ? " (allowed)" : ""}`, code);
    }
  }
  return await runBatch(place, { language, attempts, setting });
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

const ignore = [...Object.values(PROGRAMS), ...Object.values(INTERPRETERS)].some((name) => needs(name));

Deno.test({
  name: "docs/security.md has the table of attacks as it is (SKILLZ_UPDATE_DOCS=1 writes it)",
  ignore,
  fn: () => checkDocs("attacks", attackTable(ATTACKS, TABLE)),
});

Deno.test({
  name: "docs/security.md has the number of attacks as it is (SKILLZ_UPDATE_DOCS=1 writes it)",
  ignore,
  fn: () => checkDocs("count", countTable(ATTACKS, MADE)),
});
