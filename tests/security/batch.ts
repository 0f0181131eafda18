import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { denoFlags } from "../../src/sandbox/deno_flags.ts";
import type { Access, Permissions } from "../../src/sandbox/permissions.ts";
import type { BenchJob } from "../support/sandboxed.ts";
import type { Attack, Language, Place, Setting } from "./attack.ts";
import { runModule } from "./wasm_batch.ts";

/** How one attempt went. */
export interface Attempt {
  /** Whether the code got through. */
  readonly through: boolean;
  /** What it brought, or what held it off. */
  readonly detail: string;
}

/** What {@linkcode runBatch} runs. */
export interface Batch {
  readonly language: Language;
  /** Code by name. */
  readonly attempts: ReadonlyMap<string, string>;
  readonly setting: Setting;
  /** Loosens the confined command line. */
  readonly alter?: BenchJob["alter"];
  /** Loosens what a module may touch. */
  readonly widen?: (access: Access) => Access;
}

/** Runs many attempts in one confined process or module; the answer has each under its name. */
export async function runBatch(place: Place, batch: Batch): Promise<Map<string, Attempt>> {
  const { language, attempts } = batch;
  const output = language === "wasm"
    ? await runModule(place, { ...batch, permissions: permissionsOf(place, batch.setting) })
    : await runProgram(place, { ...batch, language });
  const found = new Map<string, Attempt>();
  for (const line of output.split("\n")) {
    const [mark, name, outcome, detail = ""] = line.split("\t");
    if (mark === "@" && name !== undefined) found.set(name, { through: outcome === "through", detail });
  }
  for (const name of attempts.keys()) {
    if (!found.has(name)) {
      throw new Error(`Cannot judge ${name} in ${language}: no line of it\n${output.slice(-2000)}`);
    }
  }
  return found;
}

type Written = Exclude<Language, "wasm">;

async function runProgram(
  place: Place,
  { language, attempts, setting, alter }: Batch & { language: Written },
): Promise<string> {
  const entry = join(place.tool, { python: "batch.py", typescript: "batch.ts", bash: "batch.sh" }[language]);
  await writeFile(entry, program(language, attempts));
  const permissions = permissionsOf(place, setting);
  const access = setting === "nested" ? { roots: [place.path] } : {};
  const flags = language === "typescript"
    ? denoFlags(await place.access(permissions, access), { dependencies: [], memoryMb: 512 })
    : [];
  const result = await place.run({
    kind: language === "typescript" ? "deno" : "script",
    command: language === "python"
      ? ["python3", entry]
      : language === "bash"
      ? ["bash", entry]
      : ["deno", "run", ...flags, entry],
    permissions,
    access,
    env: { GIVEN: place.secret },
    ...(alter === undefined ? {} : { alter }),
  });
  return `${result.stdout}\n${result.stderr}`;
}

function permissionsOf({ hosts }: Place, setting: Setting): Permissions {
  if (setting === "nested") return { write: ["$ROOTS"] };
  const plain = { read: ["$ROOTS"], write: ["$ROOTS/out"] };
  return setting === "online" ? { ...plain, net: [...hosts.granted] } : plain;
}

/** The code of an attack in a language with one of its targets. */
export function codeOf(
  attack: Attack,
  { language, place, allowed }: { language: Language; place: Place; allowed: boolean },
): string | undefined {
  const target = allowed ? attack.allowedIn?.[language] ?? attack.allowed : attack.attack;
  return attack.code[language]?.(target(place), place);
}

function program(language: Written, attempts: ReadonlyMap<string, string>): string {
  const bodies = [...attempts].map(([name, code]) => WRAP[language](name, code)).join("\n");
  return `${PRELUDE[language]}\n${bodies}\n`;
}

const indent = (code: string, by: string) => code.split("\n").map((line) => by + line).join("\n");

const WRAP: Readonly<Record<Written, (name: string, code: string) => string>> = {
  python: (name, code) => `def f():\n${indent(code, "    ")}\nattempt(${JSON.stringify(name)}, f)`,
  typescript: (name, code) => `await attempt(${JSON.stringify(name)}, async () => {\n${code}\n});`,
  bash: (name, code) => `out=$( ( set -e\n${code}\n) 2>&1 )\nattempt $? ${JSON.stringify(name)} "$out"`,
};

const PRELUDE: Readonly<Record<Written, string>> = {
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
  typescript: `let fail = (_: unknown) => {};
// What is thrown where nobody can catch it counts for the attempt too.
addEventListener("error", (e) => {
  e.preventDefault();
  fail(e.error);
});
async function attempt(name: string, f: () => Promise<unknown>) {
  let outcome = "through", detail: unknown;
  try {
    const thrown = new Promise((_, reject) => fail = reject);
    detail = await Promise.race([f(), thrown]);
  } catch (e) {
    outcome = "held";
    detail = e instanceof Error ? e.name + ": " + e.message : e;
  }
  console.log(["@", name, outcome, String(detail).replace(/[\\n\\t]/g, " ").slice(0, 200)].join("\\t"));
}`,
  bash: `attempt() {
  local outcome=held detail=\${3##*$'\\n'}
  [ "$1" = 0 ] && outcome=through
  detail=\${detail//$'\\t'/ }
  printf '@\\t%s\\t%s\\t%s\\n' "$2" "$outcome" "\${detail:0:200}"
}`,
};
