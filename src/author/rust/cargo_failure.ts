import { SkillzError } from "../../base/errors.ts";
import type { JobResult } from "../../install/job_runner.ts";
import { shortened } from "./diagnostics.ts";
import { RUST_TARGET } from "./toolchain.ts";

/** What is known of a failure. */
export interface CargoFailureFacts {
  /** How cargo ended. */
  readonly result: JobResult;
  /** Errors of the compiler in a crate. */
  readonly errors?: readonly string[];
  /** The crate that they are in. */
  readonly crate?: string | undefined;
}

/** Failures that users meet, by what cargo says; the first that fits counts. */
const KNOWN: readonly { says: RegExp; state: (match: RegExpExecArray) => string; hint: string }[] = [
  {
    says: /no matching package(?: named)? `([^`]+)` found|package `([^`]+)` .*not found in registry/,
    state: ([, a, b]) => `there is no crate "${a ?? b}"`,
    hint: "Check the name of the crate",
  },
  {
    says:
      /failed to select a version for the requirement `([^`]+)`[^]*?candidate versions found which didn't match: ([^\n]+)/,
    state: ([, wanted, found]) => `no version matches ${wanted}, there are ${found}`,
    hint: "Ask for a version that exists",
  },
  {
    says: /failed to select a version for the requirement `([^`]+)`/,
    state: ([, wanted]) => `no version matches ${wanted}`,
    hint: "Ask for a version that exists",
  },
  {
    says: /depends on `([^`]+)` with feature `([^`]+)`|depends on `([^`]+)`, with features: (\S+)/,
    state: ([, one, feature, other, features]) =>
      `crate ${one ?? other} has no feature "${feature ?? features}"`,
    hint: "Leave the feature out, or look for its name",
  },
  {
    says: /failed to select a version for `([^`]+)`/,
    state: ([, crate]) => `the crates want versions of ${crate} that exclude each other`,
    hint: "Ask for versions that go together",
  },
  {
    says:
      /could(?:n't| not) resolve host|network failure|timed? ?out|failed to (?:connect|download)|spurious network/i,
    state: () => "the crates can't be downloaded",
    hint: "Check the network of the server, or use only crates that were built before",
  },
  {
    says: /linker `([^`]+)` not found/,
    state: ([, linker]) => `a crate runs code while it is built, which needs the linker ${linker}`,
    hint: "Install a C compiler (on Debian: apt-get install gcc libc6-dev)",
  },
];

/** Where cargo keeps the sources of crates. */
const SOURCES = /\S*[\\/]registry[\\/]src[\\/][^\\/]+[\\/]/g;

/** The failure of a cargo run that is not the fault of the tool's own code. */
export function cargoFailure(name: string, facts: CargoFailureFacts): SkillzError {
  const { result, errors = [], crate } = facts;
  const said = result.stderr;
  for (const { says, state, hint } of KNOWN) {
    const match = says.exec(said);
    if (match) return failure(name, state(match), { hint });
  }
  const built = crate ?? /could not compile `([^`]+)`/.exec(said)?.[1];
  const script = /failed to run custom build command for `([^`]+)`/.exec(said)?.[1];
  if (script !== undefined) {
    return failure(name, `the build script of ${script} fails for ${RUST_TARGET}`, {
      hint: "Use a crate that is written in Rust alone",
      detail: scriptErrors(said),
    });
  }
  if (built !== undefined && result.explanation === undefined) {
    return failure(name, `crate ${built} does not build for ${RUST_TARGET}`, {
      hint: "Leave out features that need threads, sockets or C code, or use another crate",
      detail: shortened(errors.slice(0, 3)).replace(SOURCES, ""),
    });
  }
  return failure(name, result.explanation ?? "cargo failed", { detail: errorLines(said) });
}

function failure(
  name: string,
  state: string,
  { hint, detail = "" }: { hint?: string; detail?: string },
): SkillzError {
  const more = detail === "" ? "" : `\n${detail}`;
  return new SkillzError(
    "failed",
    `Cannot build "${name}": ${state}${more}`,
    hint === undefined ? {} : { hint },
  );
}

/** What a build script said in the end, without the instructions for cargo that it printed before. */
function scriptErrors(said: string): string {
  return said.slice(said.lastIndexOf("--- stderr")).replace("--- stderr", "").trim().slice(0, 1500);
}

/** What cargo said from its first error on, without what it did before. */
function errorLines(said: string): string {
  const start = said.search(/^error/m);
  return said.slice(Math.max(0, start)).trim().slice(0, 2000);
}
