import { deepEqual, equal, match } from "node:assert/strict";
import { decide, OPEN_POLICY } from "../../src/sandbox/policy.ts";
import { parsePolicy } from "../../src/sandbox/policy_parse.ts";

Deno.test("parsePolicy() grants everything when there is no [policy]", () => {
  deepEqual(parsePolicy(undefined), { policy: OPEN_POLICY, problems: [] });
});

Deno.test("parsePolicy() reads all lists", () => {
  const own = {
    default: { read: ["$ROOTS", "/data"], env: [] },
    allow: { net: ["*.example.com", "[::1]:8080"], write: ["$HOME/out"], run: ["git"], ffi: false },
    ask: { net: true, import: ["jsr.io"] },
    deny: { env: ["SKILLZ_PROD_*"], sys: ["uid"], ffi: true },
  };
  const { policy, problems } = parsePolicy({ own });
  deepEqual(problems, []);
  deepEqual(policy.defaultProfile, own.default);
  const { ffi: _, ...allow } = own.allow;
  deepEqual(policy.ceilings, [{ own: true, allow, ask: own.ask, deny: own.deny }]);
});

Deno.test("parsePolicy() keeps the ceilings of a workspace apart, and takes no default from it", () => {
  const { policy, problems } = parsePolicy({
    own: { deny: { net: ["a.example"] } },
    workspace: { default: { net: true }, deny: { ffi: true } },
  });
  deepEqual(policy.defaultProfile, OPEN_POLICY.defaultProfile);
  deepEqual(policy.ceilings, [{ own: true, deny: { net: ["a.example"] } }, {
    own: false,
    deny: { ffi: true },
  }]);
  equal(problems.length, 1);
  match(problems[0] ?? "", /default of a workspace does not count/);
});

const BAD: Readonly<Record<string, readonly [unknown, RegExp]>> = {
  "no table": ["unreadable", /no table/],
  "a list": [[], /no table/],
  "an unknown list": [{ permit: {} }, /permit is not known; default, allow, ask, deny are/],
  "an unknown permission": [{ deny: { network: true } }, /policy\.deny\.network is not known/],
  "a permission of another type": [{ deny: { net: "a.example" } }, /policy\.deny\.net is no list/],
  "a URL": [{ deny: { net: ["http://a.example"] } }, /policy\.deny\.net holds "http:\/\/a\.example"/],
  "a relative path": [{ allow: { read: ["data"] } }, /policy\.allow\.read holds "data"/],
  "a way up": [{ allow: { read: ["/data/../etc"] } }, /policy\.allow\.read holds/],
  "another placeholder": [{ allow: { read: ["$ALL"] } }, /policy\.allow\.read holds/],
  "true where lists are wanted": [{ ask: { run: true } }, /policy\.ask\.run is no list/],
  "a text for ffi": [{ deny: { ffi: "yes" } }, /policy\.deny\.ffi is neither true nor false/],
  "a name that is no secret": [{ deny: { env: ["PATH"] } }, /policy\.deny\.env holds "PATH"/],
  "a name of every object": [JSON.parse('{"deny": {"__proto__": true, "constructor": []}}'), /is not known/],
};

for (const [what, [table, wanted]] of Object.entries(BAD)) {
  for (const owner of ["own", "workspace"]) {
    Deno.test(`parsePolicy() grants nothing when the ${owner} [policy] holds ${what}`, () => {
      const { policy, problems } = parsePolicy({ own: { allow: { net: true } }, [owner]: table });
      match(problems[0] ?? "", wanted);
      match(policy.broken ?? "", wanted);
      const decision = decide({ net: ["a.example"] }, policy, { paths: (path) => [path] });
      equal(decision.kind, "deny");
      deepEqual(policy.defaultProfile, { env: [] });
    });
  }
}
