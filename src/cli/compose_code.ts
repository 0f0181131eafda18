import type { Config } from "../config/config.ts";
import { findCompiler } from "../run/code/find_compiler.ts";
import type { ProgramResolver } from "../sandbox/resolve_program.ts";
import { type CodeRunner, type CodeRunnerDeps, createCodeRunner } from "../run/code/run_code.ts";

/** Most time to find a Deno, which may have to be unpacked first. */
const DENO_MS = 60_000;

/** What {@linkcode composeCode} joins. */
export interface CodeParts extends Pick<CodeRunnerDeps, "callTool" | "authorize" | "tools" | "script"> {
  readonly config: Config;
  readonly programs: ProgramResolver;
  /** For temporary files. */
  readonly tempRoot: string;
}

/** The runner of programs that call tools. */
export function composeCode({ config, programs, tempRoot, ...rest }: CodeParts): CodeRunner {
  const findDeno = async () => {
    const { command } = await programs.resolve("deno", { signal: AbortSignal.timeout(DENO_MS) });
    return command;
  };
  return createCodeRunner({
    ...rest,
    tempRoot,
    places: [config.toolsDir, config.cacheDir, tempRoot],
    compiler: () => findCompiler(findDeno),
    compilerEnvironment: { ...config.safeEnvironment, ...config.hostEnvironment.deno, HOME: config.home },
  });
}
