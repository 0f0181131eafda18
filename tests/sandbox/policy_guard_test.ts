import { deepEqual, equal, rejects } from "node:assert/strict";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject } from "../../src/base/json.ts";
import type { Permissions } from "../../src/sandbox/permissions.ts";
import {
  createPolicyGuard,
  type PolicyCaller,
  type PolicyGuard,
  type PolicyOccasion,
} from "../../src/sandbox/policy_guard.ts";
import { createPolicyMemory } from "../../src/sandbox/policy_memory.ts";
import { parsePolicy } from "../../src/sandbox/policy_parse.ts";
import { tempDir } from "../support/temp_dir.ts";

interface GuardBench extends AsyncDisposable {
  path: string;
  /** Messages that users were asked. */
  asked: string[];
  guard: PolicyGuard;
  /** Asks the guard about a tool; the user answers as `answer` says, or can't be asked. */
  require(permissions: Permissions | undefined, more?: RequireOptions): Promise<void>;
}

interface RequireOptions {
  name?: string;
  env?: string[];
  answer?: JsonObject;
  occasion?: PolicyOccasion;
  roots?: string[];
}

const YES: JsonObject = { action: "accept", content: { allow: true } };
const SAVE: PolicyOccasion = { action: "save" };

async function openGuard(own: unknown): Promise<GuardBench> {
  const dir = await tempDir();
  const { policy } = parsePolicy({ own });
  const make = () =>
    createPolicyGuard({
      policy,
      memory: createPolicyMemory(join(dir.path, ".policy.json")),
      home: dir.path,
      secretNames: ["SKILLZ_A", "SKILLZ_B"],
    });
  const asked: string[] = [];
  const guard = make();
  return {
    path: dir.path,
    asked,
    guard,
    require: (permissions, { name = "t", env, answer, occasion = SAVE, roots = [] } = {}) => {
      const caller: PolicyCaller = {
        signal: new AbortController().signal,
        roots: () => Promise.resolve(roots),
        ...(answer === undefined ? {} : {
          ask: ({ message }) => {
            asked.push(message);
            return Promise.resolve(answer);
          },
        }),
      };
      return guard.require({ name, hash: "h", permissions, env }, caller, occasion);
    },
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}

Deno.test("require() asks the user for the exact difference, and once", async () => {
  await using bench = await openGuard({ allow: { net: ["a.example"] } });
  const wanted = { net: ["a.example", "b.example"], run: ["git"] };
  await bench.require(wanted, { answer: YES });
  deepEqual(bench.asked, [
    'The tool "t" asks for more than it may have: net: ["b.example"], run: ["git"]. Allow it?',
  ]);
  await bench.require(wanted, { answer: YES });
  await bench.require({ net: ["b.example"] }, { occasion: { action: "run" } });
  equal(bench.asked.length, 1);
});

Deno.test("require() asks again for growth only, and for another tool", async () => {
  await using bench = await openGuard({ allow: {} });
  await bench.require({ net: ["a.example"] }, { answer: YES });
  await bench.require({ net: ["a.example", "b.example"] }, { answer: YES });
  await bench.require({ net: ["b.example"] }, { name: "other", answer: YES });
  deepEqual(bench.asked.map((message) => /net: \S+/.exec(message)?.[0]), [
    'net: ["a.example"].',
    'net: ["b.example"].',
    'net: ["b.example"].',
  ]);
});

Deno.test("require() refuses when the user does not clearly say yes", async () => {
  await using bench = await openGuard({ allow: {} });
  const answers: JsonObject[] = [
    { action: "decline" },
    { action: "cancel" },
    { action: "accept" },
    { action: "accept", content: {} },
    { action: "accept", content: { allow: false } },
    { action: "accept", content: { allow: "true" } },
    { action: "decline", content: { allow: true } },
    {},
  ];
  for (const answer of answers) {
    await rejects(bench.require({ net: ["a.example"] }, { answer }), {
      code: "denied",
      message: 'Cannot save "t": the user did not allow net: ["a.example"]',
    });
  }
  equal(bench.asked.length, answers.length);
});

Deno.test("require() refuses and says how to go on when nobody can be asked", async () => {
  await using bench = await openGuard({ allow: {} });
  await rejects(bench.require({ net: ["a.example"] }), {
    code: "denied",
    message: /the user must confirm net: \["a\.example"\], and this client can't ask/,
    hint: /\[policy\.allow\]/,
  });
});

Deno.test("require() names the rule that forbids, and asks nobody", async () => {
  await using bench = await openGuard({ deny: { net: ["evil.example"] } });
  await rejects(bench.require({ net: ["evil.example"] }, { answer: YES }), {
    code: "denied",
    message: 'Cannot save "t": policy.deny.net of skillz.toml does not let a tool have net: ["evil.example"]',
  });
  await bench.require({ net: ["a.example"] });
  deepEqual(bench.asked, []);
});

Deno.test("require() says why when the policy is broken, and lets tools with the default profile go on", async () => {
  await using bench = await openGuard({ deny: { net: "evil.example" } });
  await rejects(bench.require({ net: ["a.example"] }, { answer: YES }), {
    message: /can't be read: .*policy\.deny\.net/,
  });
  await bench.require(undefined);
  await bench.require({});
});

Deno.test("require() has permissions and secrets of an imported tool confirmed, and remembers where it came from", async () => {
  await using bench = await openGuard(undefined);
  const occasion: PolicyOccasion = { action: "save", imported: true };
  await bench.require({ net: ["a.example"] }, { answer: YES, occasion, env: ["SKILLZ_A"] });
  await bench.require({ net: ["b.example"] }, { answer: YES });
  await bench.require(undefined, { name: "u", answer: YES, occasion });
  await bench.require({}, { name: "quiet", occasion });
  await bench.require({ net: ["b.example"] }, { name: "quiet", answer: YES, occasion: { action: "run" } });
  await bench.require({ net: ["b.example"] }, { name: "made" });
  deepEqual(bench.asked.map((message) => /: (\w+: .*)\. Allow/.exec(message)?.[1]), [
    'net: ["a.example"], env: ["SKILLZ_A"]',
    'net: ["b.example"]',
    'env: ["SKILLZ_A","SKILLZ_B"]',
    'net: ["b.example"]',
  ]);
});

Deno.test("require() remembers nothing for what is run once", async () => {
  await using bench = await openGuard({ allow: {} });
  const occasion: PolicyOccasion = { action: "run", remember: false };
  await bench.require({ net: ["a.example"] }, { answer: YES, occasion });
  await bench.require({ net: ["a.example"] }, { answer: YES, occasion });
  equal(bench.asked.length, 2);
});

Deno.test("require() follows links and placeholders before it compares", async () => {
  await using bench = await openGuard({ allow: { read: ["$HOME/open"] }, ask: {} });
  await mkdir(join(bench.path, "open", "sub"), { recursive: true });
  await mkdir(join(bench.path, "shut"));
  await symlink(join(bench.path, "shut"), join(bench.path, "open", "link"));
  await bench.require({ read: [join(bench.path, "open", "sub")] });
  await rejects(bench.require({ read: [join(bench.path, "open", "link")] }), { code: "denied" });
});

Deno.test("require() asks about one tool once, however many calls wait for the answer", async () => {
  await using bench = await openGuard({ allow: {} });
  const gate = Promise.withResolvers<JsonObject>();
  const caller: PolicyCaller = {
    signal: new AbortController().signal,
    roots: () => Promise.resolve([]),
    ask: ({ message }) => (bench.asked.push(message), gate.promise),
  };
  const subject = { name: "t", hash: "h", permissions: { net: ["a.example"] }, env: undefined };
  const calls = Array.from({ length: 5 }, () => bench.guard.require(subject, caller, { action: "run" }));
  gate.resolve(YES);
  await Promise.all(calls);
  equal(bench.asked.length, 1);
});
