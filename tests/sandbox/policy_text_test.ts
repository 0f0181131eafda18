import { equal } from "node:assert/strict";
import { OPEN_POLICY } from "../../src/sandbox/policy.ts";
import { profileText } from "../../src/sandbox/policy_text.ts";

Deno.test("profileText() tells what a tool without permissions may do", () => {
  equal(
    profileText(OPEN_POLICY.defaultProfile),
    "the workspace may be read, nothing written but $TMP, no network, all secrets",
  );
  equal(profileText({ env: [] }), "nothing and $TMP, nothing else; no secrets");
  equal(
    profileText({ net: ["a.example"], write: ["$ROOTS"], env: ["SKILLZ_A", "SKILLZ_B"] }),
    'net: ["a.example"], write: ["$ROOTS"] and $TMP, nothing else; secrets: SKILLZ_A, SKILLZ_B',
  );
});
