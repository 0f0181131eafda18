import { sha256 } from "../../base/hash.ts";
import type { TypeCompiler } from "./find_compiler.ts";
import { type CodeFault, typeCheck } from "./type_check.ts";

/** Checks the types of programs. */
export interface TypeChecker {
  /** Faults of a program's body under these declarations; none when it is sound. Throws as {@linkcode typeCheck} does. */
  check(code: string, declarations: string, options: { signal: AbortSignal }): Promise<readonly CodeFault[]>;
}

/** What {@linkcode createTypeChecker} needs. */
export interface TypeCheckerDeps {
  /** Finds the compiler; asked until it is found. */
  compiler(): Promise<TypeCompiler>;
  /** Environment of the compiler. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * Where temporary files go.
   * @default the system's folder for them
   */
  readonly tempRoot?: string;
}

/** Most verdicts that are remembered. */
const REMEMBERED = 200;

/** A checker that remembers its verdicts: the same code under the same declarations is not checked again. */
export function createTypeChecker(deps: TypeCheckerDeps): TypeChecker {
  const verdicts = new Map<string, readonly CodeFault[]>();
  let compiler: Promise<TypeCompiler> | undefined;
  return {
    async check(code, declarations, { signal }) {
      const key = await sha256(JSON.stringify([code, declarations]));
      const known = verdicts.get(key);
      if (known) return known;
      const found = compiler ??= deps.compiler();
      // What is missing now may be installed by the next time.
      found.catch(() => compiler = undefined);
      const faults = await typeCheck(code, {
        declarations,
        compiler: await found,
        env: deps.env,
        signal,
        ...(deps.tempRoot === undefined ? {} : { tempRoot: deps.tempRoot }),
      });
      const [oldest] = verdicts.keys();
      if (verdicts.size >= REMEMBERED && oldest !== undefined) verdicts.delete(oldest);
      verdicts.set(key, faults);
      return faults;
    },
  };
}
