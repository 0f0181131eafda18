import { deepEqual, equal } from "node:assert/strict";
import type { Permissions } from "../../src/sandbox/permissions.ts";
import {
  type Ceiling,
  decide,
  type DecideOptions,
  OPEN_POLICY,
  type Policy,
} from "../../src/sandbox/policy.ts";

const plain: DecideOptions = { paths: (path) => [path] };
const policy = (...ceilings: Partial<Ceiling>[]): Policy => ({
  ...OPEN_POLICY,
  ceilings: ceilings.map((ceiling) => ({ own: true, ...ceiling })),
});
const decided = (wanted: Permissions, given: Policy, options: Partial<DecideOptions> = {}) =>
  decide(wanted, given, { ...plain, ...options });

const MUCH: Permissions = {
  net: ["a.example"],
  read: ["/data"],
  write: ["/out"],
  env: ["SKILLZ_A"],
  run: ["git"],
  sys: ["hostname"],
  ffi: true,
  import: ["jsr.io"],
};

Deno.test("decide() allows everything when there is no policy", () => {
  deepEqual(decided({ ...MUCH, net: true }, OPEN_POLICY), { kind: "allow" });
});

Deno.test("decide() allows what allow holds, and asks for exactly what goes beyond", () => {
  const given = policy({ allow: { net: ["*.example"], read: ["/data"], run: ["git"] } });
  deepEqual(decided({ net: ["a.example"], read: ["/data/sub"], run: ["git"] }, given), { kind: "allow" });
  deepEqual(decided(MUCH, given), {
    kind: "ask",
    difference: {
      write: ["/out"],
      env: ["SKILLZ_A"],
      import: ["jsr.io"],
      sys: ["hostname"],
      ffi: true,
    },
  });
});

Deno.test("decide() refuses what neither allow nor ask holds, and names allow", () => {
  const given = policy({ allow: { net: ["a.example"] }, ask: { net: true } });
  deepEqual(decided({ net: ["b.example"] }, given), { kind: "ask", difference: { net: ["b.example"] } });
  deepEqual(decided({ net: ["b.example"], run: ["sh"] }, given), {
    kind: "deny",
    rule: "policy.allow.run",
    refused: { run: ["sh"] },
  });
  deepEqual(decided({ net: ["b.example"] }, policy({ allow: {}, ask: {} })), {
    kind: "deny",
    rule: "policy.allow.net",
    refused: { net: ["b.example"] },
  });
});

Deno.test("decide() asks only for what ask holds when there is no allow", () => {
  const given = policy({ ask: { run: ["bash"], net: true } });
  deepEqual(decided({ read: ["/data"], run: ["git"] }, given), { kind: "allow" });
  deepEqual(decided({ net: ["a.example"], run: ["git", "bash"] }, given), {
    kind: "ask",
    difference: { net: ["a.example"], run: ["bash"] },
  });
});

Deno.test("decide() refuses what deny holds, before anybody is asked", () => {
  const given = policy({ ask: { net: true }, deny: { net: ["evil.example"], ffi: true } });
  for (
    const net of [
      ["evil.example"],
      ["evil.example:8080"],
      ["*.example"],
      ["a.example", "evil.example"],
      true,
    ] as const
  ) {
    const decision = decided({ net }, given);
    equal(decision.kind === "deny" && decision.rule, "policy.deny.net", JSON.stringify(net));
  }
  equal(decided({ net: ["a.example"] }, given).kind, "ask");
  deepEqual(decided({ ffi: true }, given), { kind: "deny", rule: "policy.deny.ffi", refused: { ffi: true } });
});

Deno.test("decide() takes deny for stronger than allow and what was confirmed", () => {
  const given = policy({ allow: { net: true }, deny: { net: ["evil.example"] } });
  equal(decided({ net: ["evil.example"] }, given, { remembered: { net: true } }).kind, "deny");
  equal(decided({ net: ["a.example"] }, given).kind, "allow");
});

Deno.test("decide() asks for what grew only, once the rest was confirmed", () => {
  const given = policy({ allow: {} });
  const remembered: Permissions = { net: ["a.example", "b.example:443"], write: ["/out"] };
  deepEqual(decided({ net: ["a.example"], write: ["/out"] }, given, { remembered }), { kind: "allow" });
  deepEqual(decided({ net: ["a.example:8080"], read: ["/out/x"] }, given, { remembered }), { kind: "allow" });
  deepEqual(decided({ net: ["a.example", "b.example", "c.example"] }, given, { remembered }), {
    kind: "ask",
    difference: { net: ["b.example", "c.example"] },
  });
  deepEqual(decided({ net: true }, given, { remembered }), { kind: "ask", difference: { net: true } });
});

Deno.test("decide() takes a ceiling that changed for stronger than what was confirmed", () => {
  equal(
    decided({ run: ["sh"] }, policy({ allow: {}, ask: {} }), { remembered: { run: ["sh"] } }).kind,
    "deny",
  );
});

Deno.test("decide() never asks for the default profile, its own folder, or its private one", () => {
  const given = policy({ allow: {}, ask: {} });
  const wanted = { read: ["$ROOTS", "$ROOTS/src", "$TOOL/data", "$TMP"], write: ["$TMP/x"] };
  deepEqual(decided(wanted, given), { kind: "allow" });
  equal(decided({ write: ["$TOOL/data"] }, given).kind, "deny");
});

Deno.test("decide() lets every ceiling have its say", () => {
  const given = policy({ allow: { net: ["a.example", "b.example"] } }, {
    allow: { net: ["a.example"] },
    own: false,
  });
  equal(decided({ net: ["a.example"] }, given).kind, "allow");
  deepEqual(decided({ net: ["b.example"] }, given), { kind: "ask", difference: { net: ["b.example"] } });
  equal(decided({ net: ["b.example"] }, policy({}, { deny: { net: true }, own: false })).kind, "deny");
});

Deno.test("decide() has everything confirmed that an imported tool asks for", () => {
  const imported = { imported: true };
  deepEqual(decided({ net: ["a.example"], read: ["$ROOTS"] }, OPEN_POLICY, imported), {
    kind: "ask",
    difference: { net: ["a.example"] },
  });
  deepEqual(decided({ read: ["$ROOTS"] }, OPEN_POLICY, imported), { kind: "allow" });
  equal(
    decided({ net: ["a.example"] }, OPEN_POLICY, { ...imported, remembered: { net: ["a.example"] } }).kind,
    "allow",
  );
  equal(decided({ net: ["a.example"] }, policy({ allow: { net: ["a.example"] } }), imported).kind, "allow");
});

Deno.test("decide() does not take a workspace's word for an imported tool", () => {
  const given = policy({ allow: { net: true }, own: false });
  equal(decided({ net: ["a.example"] }, given, { imported: true }).kind, "ask");
});

Deno.test("decide() compares hosts, programs and secrets by their meaning", () => {
  const given = policy({
    allow: { net: ["*.corp.example", "api.example:443"], env: ["SKILLZ_MAPS_*"] },
    ask: {},
    deny: { run: ["bash"] },
  });
  const kind = (wanted: Permissions) => decided(wanted, given).kind;
  equal(kind({ net: ["A.B.Corp.Example:8080", "api.example:443"] }), "allow");
  equal(kind({ net: ["corp.example"] }), "deny");
  equal(kind({ net: ["api.example"] }), "deny");
  equal(kind({ env: ["SKILLZ_MAPS_KEY"] }), "allow");
  equal(kind({ env: ["SKILLZ_MAP"] }), "deny");
  equal(kind({ run: ["/usr/bin/bash"] }), "deny");
});

Deno.test("decide() looks at what paths mean, where placeholders are several folders or links lead elsewhere", () => {
  const meaning: Record<string, readonly string[]> = {
    "$ROOTS": ["/srv/a", "/srv/b"],
    "$ROOTS/out": ["/srv/a/out", "/srv/b/out"],
    "/innocent": ["/etc"],
  };
  const paths = (path: string) => meaning[path] ?? [path];
  const kind = (wanted: Permissions, ceiling: Partial<Ceiling>) =>
    decided(wanted, policy(ceiling), { paths }).kind;
  equal(kind({ write: ["$ROOTS/out"] }, { allow: { write: ["/srv"] }, ask: {} }), "allow");
  equal(kind({ write: ["$ROOTS/out"] }, { allow: { write: ["/srv/a"] }, ask: {} }), "deny");
  equal(kind({ read: ["/innocent"] }, { deny: { read: ["/etc/shadow"] } }), "deny");
  equal(kind({ write: ["/srv"] }, { deny: { read: ["/srv/b/secret"] } }), "deny");
  equal(kind({ read: ["/srvice"] }, { deny: { read: ["/srv"] } }), "allow");
});
