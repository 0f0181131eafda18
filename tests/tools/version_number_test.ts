import assert from "node:assert/strict";
import { compareVersions, isVersion, nextVersion } from "../../src/tools/version_number.ts";

Deno.test("isVersion() accepts what semver.org accepts and nothing else", () => {
  const good = [
    "0.0.0",
    "1.2.3",
    "1.0.0-alpha",
    "1.0.0-alpha.1",
    "1.0.0-0.3.7",
    "1.0.0+20130313",
    "1.0.0-x-y.1+b.2",
  ];
  const bad = [
    "1",
    "1.0",
    "v1.0.0",
    "1.0.0.0",
    "01.0.0",
    "1.0.0-01",
    "1.0.0-",
    "1.0.0+",
    " 1.0.0",
    "1.0.0\n",
    "../1.0.0",
  ];
  for (const version of good) assert.ok(isVersion(version), version);
  for (const version of [...bad, `1.0.0-${"x".repeat(200)}`, "99999999999999999999.0.0"]) {
    assert.ok(!isVersion(version), version);
  }
});

Deno.test("compareVersions() sorts by the precedence of semver", () => {
  const sorted = [
    "1.0.0-alpha",
    "1.0.0-alpha.1",
    "1.0.0-alpha.beta",
    "1.0.0-beta",
    "1.0.0-beta.2",
    "1.0.0-beta.11",
    "1.0.0-rc.1",
    "1.0.0",
    "1.0.2",
    "1.0.10",
    "1.2.0",
    "2.0.0",
  ];
  assert.deepEqual([...sorted].reverse().sort(compareVersions), sorted);
});

Deno.test("nextVersion() takes the given number once, then raises the patch", () => {
  assert.equal(nextVersion(new Set(), {}), "1.0.0");
  assert.equal(nextVersion(new Set(), { given: "2.1.0" }), "2.1.0");
  assert.equal(nextVersion(new Set(["2.1.0", "2.1.1"]), { given: "2.1.0" }), "2.1.2");
  assert.equal(nextVersion(new Set(["1.0.0", "1.0.1"]), { from: "1.0.0" }), "1.0.2");
  assert.equal(nextVersion(new Set(["1.0.0-beta.1"]), { from: "1.0.0-beta.1" }), "1.0.1");
});
