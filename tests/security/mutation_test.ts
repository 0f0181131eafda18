import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Access } from "../../src/sandbox/permissions.ts";
import { needs } from "../support/needs.ts";
import type { BenchJob } from "../support/sandboxed.ts";
import type { Language, Place } from "./attack.ts";
import { ATTACKS } from "./attacks/all.ts";
import { codeOf, runBatch } from "./batch.ts";
import { openPlace } from "./place.ts";
import { isReached } from "./reached.ts";

type Alter = (args: readonly string[], place: Place) => readonly string[];

/** A rule taken out of the command line, and an attack of the corpus that must get through then. */
interface Mutation {
  rule: string;
  alter: Alter;
  attack: string;
  language: Language;
}

const without = (...flags: readonly string[]): Alter => (args) => args.filter((arg) => !flags.includes(arg));

/** Takes out each run of arguments that matches. */
function cut(pattern: (place: Place) => readonly string[]): Alter {
  return (args, place) => {
    const wanted = pattern(place);
    const at = args.findIndex((_, i) => wanted.every((word, k) => args[i + k] === word));
    assert.ok(at >= 0, `nothing to take out: ${wanted.join(" ")}`);
    return [...args.slice(0, at), ...args.slice(at + wanted.length)];
  };
}

/** Makes a read-only mount of a path writable. */
function loosen(path: (place: Place) => string): Alter {
  return (args, place) => {
    const at = args.findIndex((arg, i) => arg === "--ro-bind" && args[i + 2] === path(place));
    assert.ok(at >= 0, "nothing to loosen");
    return args.map((arg, i) => i === at ? "--bind" : arg);
  };
}

/** Shows something more, right before the program. */
function show(path: (place: Place) => string): Alter {
  return (args, place) => {
    const at = args.findIndex((arg, i) => arg === "--remount-ro" && args[i + 1] === "/");
    return [...args.slice(0, at), "--ro-bind", path(place), path(place), ...args.slice(at)];
  };
}

const BUBBLEWRAP: readonly Mutation[] = [
  { rule: "own network", alter: without("--unshare-net"), attack: "loopback", language: "python" },
  { rule: "own process ids", alter: without("--unshare-pid"), attack: "see-processes", language: "python" },
  { rule: "own process ids", alter: without("--unshare-pid"), attack: "signal-server", language: "bash" },
  { rule: "filter", alter: cut(() => ["--seccomp", "9"]), attack: "call-keyctl", language: "python" },
  { rule: "filter", alter: cut(() => ["--seccomp", "9"]), attack: "call-unshare", language: "python" },
  { rule: "filter", alter: cut(() => ["--seccomp", "9"]), attack: "set-id", language: "python" },
  { rule: "filter", alter: cut(() => ["--seccomp", "9"]), attack: "clone-namespace", language: "python" },
  { rule: "filter", alter: cut(() => ["--seccomp", "9"]), attack: "unix-socket", language: "python" },
  { rule: "home out of sight", alter: show(({ home }) => home), attack: "read-ssh", language: "bash" },
  { rule: "home out of sight", alter: show(({ home }) => home), attack: "planted-link", language: "bash" },
  {
    rule: "own code read-only",
    alter: loosen(({ tool }) => tool),
    attack: "write-own-manifest",
    language: "bash",
  },
  {
    rule: "workspace read-only",
    alter: loosen(({ root }) => root),
    attack: "write-read-only",
    language: "bash",
  },
  {
    rule: "TOOLS_DIR hidden",
    alter: (args, { toolsDir }) =>
      args.flatMap((arg, i) => arg === "--tmpfs" && args[i + 1] === toolsDir ? ["--bind", toolsDir] : [arg]),
    attack: "nested-memory",
    language: "bash",
  },
];

const DENO: readonly Mutation[] = [
  {
    rule: "--deny-read",
    alter: (args) => args.filter((arg) => !arg.startsWith("--deny-read")),
    attack: "nested-memory",
    language: "typescript",
  },
  {
    rule: "--deny-write",
    alter: (args) => args.filter((arg) => !arg.startsWith("--deny-write")),
    attack: "nested-move",
    language: "typescript",
  },
  {
    rule: "--allow-read list",
    alter: (args) => args.map((arg) => arg.startsWith("--allow-read=") ? "--allow-read" : arg),
    attack: "read-ssh",
    language: "typescript",
  },
  {
    rule: "no --allow-net",
    alter: (args) => args.map((arg) => arg === "--allow-env" ? "--allow-net" : arg),
    attack: "loopback-http",
    language: "typescript",
  },
];

/** Whether an attack reaches its aim with a rule loosened. */
async function isLoose(place: Place, { attack: id, language, ...changes }: {
  attack: string;
  language: Language;
  alter?: BenchJob["alter"];
  widen?: (access: Access) => Access;
}): Promise<{ reached: boolean; detail: string | undefined }> {
  const attack = ATTACKS.find((one) => one.id === id);
  assert.ok(attack, id);
  const code = codeOf(attack, { language, place, allowed: false }) ?? "";
  const attempts = await runBatch(place, {
    language,
    attempts: new Map([[id, code]]),
    setting: attack.setting ?? "plain",
    ...changes,
  });
  const attempt = attempts.get(id);
  return {
    reached: attempt !== undefined && await isReached(attack, { attempt, place }),
    detail: attempt?.detail,
  };
}

for (const [mode, mutations] of [["bubblewrap", BUBBLEWRAP], ["none", DENO]] as const) {
  Deno.test({
    name: `the corpus turns red when one rule of ${mode === "none" ? "Deno's flags" : mode} is loosened`,
    ignore: needs("bwrap", "python3", "bash"),
    async fn() {
      await using place = await openPlace(mode);
      for (const { rule, alter, attack, language } of mutations) {
        const { reached, detail } = await isLoose(place, {
          attack,
          language,
          alter: (args) => alter(args, place),
        });
        assert.ok(reached, `${attack} is held without: ${rule} (${detail})`);
      }
    },
  });
}

/** Rules of the way out, each taken away for a job, and attacks that must get through then. */
const EGRESS: readonly { rule: string; loosen: Loosen; attacks: readonly string[] }[] = [
  {
    rule: "the address of a granted name is looked at",
    // What services resolve to is meant, whatever it is.
    loosen: (open) => (request) => open({ ...request, hosts: [], services: request.hosts }),
    attacks: [
      "online-rebind",
      "online-rebind-6",
      "online-rebind-mapped",
      "online-rebind-zero",
      "online-rebind-own",
      "online-rebind-later",
    ],
  },
  {
    rule: "the name is looked at",
    loosen: (open) => (request) => open({ ...request, services: ["*.example", "*.evil.example"] }),
    attacks: ["online-other-host", "online-look-alike", "online-other-port"],
  },
  {
    rule: "an address is looked at",
    loosen: (open) => (request) => open({ ...request, hosts: [...request.hosts, "127.0.0.1", "[::1]"] }),
    attacks: ["online-spellings", "online-socks"],
  },
];

type Loosen = NonNullable<Parameters<typeof openPlace>[1]>;

for (const { rule, loosen, attacks } of EGRESS) {
  Deno.test({
    name: `the corpus turns red unless ${rule}`,
    ignore: needs("bwrap", "python3"),
    async fn() {
      await using place = await openPlace("bubblewrap", loosen);
      for (const attack of attacks) {
        const { reached, detail } = await isLoose(place, { attack, language: "python" });
        assert.ok(reached, `${attack} is held: ${detail}`);
      }
    },
  });
}

Deno.test({
  name: "the corpus turns red when a program keeps Unix sockets beside its hosts",
  ignore: needs("bwrap", "python3", "perl"),
  async fn() {
    await using place = await openPlace("bubblewrap");
    const loose = join(place.tool, "allow.bpf");
    // One instruction: allow.
    await writeFile(loose, Uint8Array.of(6, 0, 0, 0, 0, 0, 0xff, 0x7f));
    const alter = (args: readonly string[]) => args.map((arg) => arg.endsWith("/seal.bpf") ? loose : arg);
    const attack = ATTACKS.find(({ id }) => id === "unix-socket");
    assert.ok(attack);
    for (const [rule, reached] of [[alter, true], [undefined, false]] as const) {
      const code = codeOf(attack, { language: "python", place, allowed: false }) ?? "";
      const attempts = await runBatch(place, {
        language: "python",
        attempts: new Map([["unix-socket", code]]),
        setting: "online",
        ...(rule === undefined ? {} : { alter: rule }),
      });
      const { through, detail = "" } = attempts.get("unix-socket") ?? {};
      assert.equal(through, reached, detail);
    }
  },
});

const MODULES: readonly {
  rule: string;
  widen(access: Access, place: Place): Access;
  attacks: readonly string[];
}[] = [
  {
    rule: "home is not open",
    widen: (access, { home }) => ({ ...access, read: [...access.read, home] }),
    attacks: ["read-ssh", "read-home", "list-home"],
  },
  {
    rule: "the workspace is read-only",
    widen: (access, { root }) => ({ ...access, write: [...access.write, root] }),
    attacks: ["write-read-only", "wasm-empty", "wasm-append", "wasm-move-in"],
  },
  {
    rule: "TOOLS_DIR is hidden",
    widen: ({ hidden: _hidden, denied: _denied, ...access }) => access,
    attacks: ["nested-memory", "nested-other-tool"],
  },
];

Deno.test({
  name: "the corpus turns red when one rule of modules is loosened",
  ignore: needs("rustc", "wasm32-wasip1"),
  async fn() {
    for (const { rule, widen, attacks } of MODULES) {
      await using place = await openPlace("none");
      for (const attack of attacks) {
        const { reached, detail } = await isLoose(place, {
          attack,
          language: "wasm",
          widen: (access) => widen(access, place),
        });
        assert.ok(reached, `${attack} is held without: ${rule} (${detail})`);
      }
    }
  },
});
