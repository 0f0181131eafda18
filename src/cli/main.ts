import { loadLate } from "../base/load_late.ts";
import { errorText, SkillzError } from "../base/errors.ts";
import type { Config } from "../config/config.ts";
import { readEnvironment } from "../config/environment.ts";
import { type Command, parseCommandLine, type ServeFlags } from "../config/flags.ts";
import { resolveConfig } from "../config/resolve_config.ts";
import { ENGINE_WORD } from "../run/wasm/engine_command.ts";
import { writeError, writeOutput } from "./output.ts";

/** Exit codes of the command line. */
const OK = 0;
const FAILED = 1;
const MISUSE = 2;

/**
 * Runs a command line and returns the exit code: 0 fine, 1 failed, 2 misuse. Each command is loaded when it is asked
 * for, so that a server over stdio answers before anything else is read.
 */
export async function main(args: readonly string[]): Promise<number> {
  try {
    if (args[0] === ENGINE_WORD) return await serveEngine();
    return await run(parseCommandLine(args));
  } catch (error) {
    await writeError(`skillz: ${errorText(error)}\n`);
    return error instanceof SkillzError && error.code === "invalid_input" ? MISUSE : FAILED;
  }
}

/** Runs WebAssembly for a server that is this same compiled program; no command for people. */
async function serveEngine(): Promise<number> {
  const url = new URL("../run/wasm/engine/serve_engine.ts", import.meta.url);
  await (await loadLate<typeof import("../run/wasm/engine/serve_engine.ts")>(url)).serveEngine();
  return OK;
}

async function run(command: Command): Promise<number> {
  switch (command.kind) {
    case "help":
      return await print(
        (await loadLate<typeof import("./help.ts")>(new URL("./help.ts", import.meta.url))).HELP,
      );
    case "version":
      return await print(
        `skillz ${
          (await loadLate<typeof import("../mcp/identity.ts")>(
            new URL("../mcp/identity.ts", import.meta.url),
          )).SERVER_INFO.version
        }\n`,
      );
    case "serve": {
      const config = await configure(command.flags);
      const { serve } = await loadLate<typeof import("./serve.ts")>(new URL("./serve.ts", import.meta.url));
      return await serve(config);
    }
    case "check-tools":
      return await (await loadLate<typeof import("./check_tools.ts")>(
        new URL("./check_tools.ts", import.meta.url),
      )).checkTools(command, await configure());
    case "call":
      return await (await loadLate<typeof import("./call.ts")>(new URL("./call.ts", import.meta.url)))
        .callFromShell(command, await configure());
    case "list":
      return await (await loadLate<typeof import("./list.ts")>(new URL("./list.ts", import.meta.url)))
        .listFromShell(await configure());
    case "doctor":
      return await (await loadLate<typeof import("./run_doctor.ts")>(
        new URL("./run_doctor.ts", import.meta.url),
      )).runDoctor(await configure());
    case "init":
      return await (await loadLate<typeof import("./init.ts")>(new URL("./init.ts", import.meta.url)))
        .initTool(command, await configure());
    case "install":
      return await (await loadLate<typeof import("./install.ts")>(new URL("./install.ts", import.meta.url)))
        .installInEditor(command, await configure());
  }
}

/** Only `serve` has flags of its own; what else runs a tool is quiet unless something is wrong. */
async function configure(flags: ServeFlags = { logLevel: "warn" }): Promise<Config> {
  return await resolveConfig(flags, { env: readEnvironment(), cwd: Deno.cwd() });
}

async function print(text: string): Promise<number> {
  await writeOutput(text);
  return OK;
}
