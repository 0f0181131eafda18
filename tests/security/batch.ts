import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { denoFlags } from "../../src/sandbox/deno_flags.ts";
import type { Permissions } from "../../src/sandbox/permissions.ts";
import type { BenchJob } from "../support/sandboxed.ts";
import type { Attack, Language, Place } from "./attack.ts";

/** How one attempt went. */
export interface Attempt {
  /** Whether the code got through. */
  readonly through: boolean;
  /** What it brought, or what held it off. */
  readonly detail: string;
}

/** What attacks have of the start: the workspace to read, one folder of it to write. */
const PLAIN: Permissions = { read: ["$ROOTS"], write: ["$ROOTS/out"] };
/** A workspace that holds home and TOOLS_DIR, to write. */
const NESTED: Permissions = { write: ["$ROOTS"] };

/** What {@linkcode runBatch} runs. */
export interface Batch {
  readonly language: Language;
  /** Code by name. */
  readonly attempts: ReadonlyMap<string, string>;
  readonly nested: boolean;
  readonly alter?: BenchJob["alter"];
}

/** Runs many attempts in one confined process; the answer has each under its name. */
export async function runBatch(
  place: Place,
  { language, attempts, nested, alter }: Batch,
): Promise<Map<string, Attempt>> {
  const entry = join(place.tool, { python: "batch.py", typescript: "batch.ts", bash: "batch.sh" }[language]);
  await writeFile(entry, program(language, attempts));
  const permissions = nested ? NESTED : PLAIN;
  const more = nested ? { roots: [place.path] } : {};
  const flags = language === "typescript"
    ? denoFlags(await place.access(permissions, more), { dependencies: [], memoryMb: 512 })
    : [];
  const result = await place.run({
    kind: language === "typescript" ? "deno" : "script",
    command: language === "python"
      ? ["python3", entry]
      : language === "bash"
      ? ["bash", entry]
      : ["deno", "run", ...flags, entry],
    permissions,
    access: more,
    env: { GIVEN: place.secret },
    ...(alter === undefined ? {} : { alter }),
  });
  const found = new Map<string, Attempt>();
  for (const line of result.stdout.split("\n")) {
    const [mark, name, outcome, detail = ""] = line.split("\t");
    if (mark === "@" && name !== undefined) found.set(name, { through: outcome === "through", detail });
  }
  for (const name of attempts.keys()) {
    if (!found.has(name)) {
      throw new Error(
        `Cannot judge ${name} in ${language}: no line of it\n${result.stdout.slice(-500)}\n${
          result.stderr.slice(-1500)
        }`,
      );
    }
  }
  return found;
}

/** The code of an attack in a language with one of its targets. */
export function codeOf(
  attack: Attack,
  { language, place, allowed }: { language: Language; place: Place; allowed: boolean },
): string | undefined {
  const target = allowed ? attack.allowedIn?.[language] ?? attack.allowed : attack.attack;
  return attack.code[language]?.(target(place), place);
}

function program(language: Language, attempts: ReadonlyMap<string, string>): string {
  const bodies = [...attempts].map(([name, code]) => WRAP[language](name, code)).join("\n");
  return `${PRELUDE[language]}\n${bodies}\n`;
}

const indent = (code: string, by: string) => code.split("\n").map((line) => by + line).join("\n");

const WRAP: Readonly<Record<Language, (name: string, code: string) => string>> = {
  python: (name, code) => `def f():\n${indent(code, "    ")}\nattempt(${JSON.stringify(name)}, f)`,
  typescript: (name, code) => `await attempt(${JSON.stringify(name)}, async () => {\n${code}\n});`,
  bash: (name, code) => `out=$( ( set -e\n${code}\n) 2>&1 )\nattempt $? ${JSON.stringify(name)} "$out"`,
};

const PRELUDE: Readonly<Record<Language, string>> = {
  python: `import ctypes, os, socket, sys
libc = ctypes.CDLL(None, use_errno=True)
def call(number, *args):
    r = libc.syscall(ctypes.c_long(number), *[ctypes.c_long(a) if isinstance(a, int) else a for a in args])
    if r < 0:
        e = ctypes.get_errno()
        raise OSError(e, os.strerror(e))
    return r
def attempt(name, f):
    try:
        outcome, detail = "through", f()
    except BaseException as e:
        outcome, detail = "held", type(e).__name__ + ": " + str(e)
    print("@", name, outcome, str(detail).replace("\\n", " ").replace("\\t", " ")[:200], sep="\\t", flush=True)`,
  typescript: `async function attempt(name: string, f: () => Promise<unknown>) {
  let outcome = "through", detail: unknown;
  try {
    detail = await f();
  } catch (e) {
    outcome = "held";
    detail = e instanceof Error ? e.name + ": " + e.message : e;
  }
  console.log(["@", name, outcome, String(detail).replace(/[\\n\\t]/g, " ").slice(0, 200)].join("\\t"));
}`,
  bash: `attempt() {
  local outcome=held
  [ "$1" = 0 ] && outcome=through
  printf '@\\t%s\\t%s\\t%s\\n' "$2" "$outcome" "$(printf '%s' "$3" | tail -n 1 | tr '\\t' ' ' | cut -c 1-200)"
}`,
};
