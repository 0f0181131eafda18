import type { Config } from "../config/config.ts";
import { findCompiler, type TypeCompiler } from "../run/code/find_compiler.ts";
import { type CodeRunner, type CodeRunnerDeps, createCodeRunner } from "../run/code/run_code.ts";

/** What {@linkcode composeCode} joins. */
export interface CodeParts extends Pick<CodeRunnerDeps, "callTool" | "authorize" | "tools" | "script"> {
  readonly config: Config;
}

/** The runner of programs that call tools. */
export function composeCode({ config, ...rest }: CodeParts): CodeRunner {
  let compiler: Promise<TypeCompiler> | undefined;
  return createCodeRunner({
    ...rest,
    toolsDir: config.toolsDir,
    compiler: () => compiler ??= findCompiler(config.denoPath),
    compilerEnvironment: { ...config.safeEnvironment, ...config.hostEnvironment.deno, HOME: config.home },
  });
}
