import { join } from "node:path";
import type { Config } from "../config/config.ts";
import { createDenoUnpacker } from "../install/unpack_deno.ts";
import { inFirstWritable } from "../tools/first_writable.ts";
import { createProgramResolver, type ProgramResolver } from "../sandbox/resolve_program.ts";

/** What finds programs; the compiled binary has a Deno for tools inside, for machines without one. */
export function composePrograms(config: Config): ProgramResolver {
  if (!Deno.build.standalone) return createProgramResolver(config);
  const places = [config.toolsDir, config.cacheDir] as const;
  const unpackers = new Map(
    places.map((base) => [base, createDenoUnpacker({ folder: join(base, ".runtime") })]),
  );
  const spareDeno = () =>
    inFirstWritable(places, (base) => unpackers.get(base)?.() ?? Promise.resolve(undefined));
  return createProgramResolver({ ...config, spareDeno });
}
