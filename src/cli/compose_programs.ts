import { join } from "node:path";
import type { Config } from "../config/config.ts";
import { createDenoUnpacker } from "../install/unpack_deno.ts";
import { createProgramResolver, type ProgramResolver } from "../sandbox/resolve_program.ts";

/** What finds programs; the compiled binary has a Deno for tools inside, for machines without one. */
export function composePrograms(config: Config): ProgramResolver {
  if (!Deno.build.standalone) return createProgramResolver(config);
  const spareDeno = createDenoUnpacker({ folder: join(config.toolsDir, ".runtime") });
  return createProgramResolver({ ...config, spareDeno });
}
