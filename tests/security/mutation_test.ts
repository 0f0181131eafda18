import assert from "node:assert/strict";
import { needs } from "../support/needs.ts";
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

for (const [mode, mutations] of [["bubblewrap", BUBBLEWRAP], ["none", DENO]] as const) {
  Deno.test({
    name: `the corpus turns red when one rule of ${mode === "none" ? "Deno's flags" : mode} is loosened`,
    ignore: needs("bwrap", "python3", "bash"),
    async fn() {
      await using place = await openPlace(mode);
      for (const { rule, alter, attack: id, language } of mutations) {
        const attack = ATTACKS.find((one) => one.id === id);
        assert.ok(attack, id);
        const code = codeOf(attack, { language, place, allowed: false }) ?? "";
        const attempts = await runBatch(place, {
          language,
          attempts: new Map([[id, code]]),
          nested: attack.nested ?? false,
          alter: (args) => alter(args, place),
        });
        const attempt = attempts.get(id);
        assert.ok(
          attempt && await isReached(attack, { attempt, place }),
          `${id} is held without: ${rule} (${attempt?.detail})`,
        );
      }
    },
  });
}
