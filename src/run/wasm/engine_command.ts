/** How the program that runs modules is started: in a process of its own, which alone can really be ended. */
export interface EngineCommand {
  /** Absolute path of the program. */
  readonly command: string;
  /** Its arguments. */
  readonly args: readonly string[];
  /** Its whole environment. */
  readonly env: Readonly<Record<string, string>>;
}

/** The word by which the compiled server is asked to be an engine. */
export const ENGINE_WORD = "__wasm-engine";

/** Most MiB of JavaScript values in an engine; memories of modules are bounded by themselves. */
const HEAP_MB = 256;

/** What {@linkcode engineCommand} needs to know. */
export interface EngineCommandOptions {
  /** The Deno that runs tools. */
  readonly denoPath: string;
  /** Environment of the engine itself (PATH, HOME, DENO_DIR, proxies …); modules see nothing of it. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * Whether this server is a compiled program: then it is its own engine.
   * @default Deno.build.standalone
   */
  readonly standalone?: boolean;
}

/** The command that starts an engine. */
export function engineCommand(options: EngineCommandOptions): EngineCommand {
  const { denoPath, env, standalone = Deno.build.standalone } = options;
  const heap = `--max-old-space-size=${HEAP_MB}`;
  if (standalone) {
    return { command: Deno.execPath(), args: [ENGINE_WORD], env: { ...env, DENO_V8_FLAGS: heap } };
  }
  const main = new URL("./engine/main.ts", import.meta.url);
  const flags = [
    "--quiet",
    "--no-prompt",
    "--no-config",
    "--no-lock",
    // Run from a registry, the engine's files are read when the first engine starts.
    ...(main.protocol === "file:" ? ["--cached-only"] : []),
    "--no-check",
    `--v8-flags=${heap}`,
  ];
  return {
    command: denoPath,
    args: ["run", ...flags, main.href],
    env,
  };
}
