import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { isExecutable } from "../process/find_program.ts";
import { findPackedDeno } from "./packed_deno.ts";

/** Options of {@linkcode createDenoUnpacker}. */
export interface DenoUnpackerOptions {
  /** Where the Deno goes, in a folder of its own. */
  readonly folder: string;
  /**
   * The compiled program that may hold it.
   * @default the one that runs
   */
  readonly program?: string;
}

/**
 * Gives the Deno that lies packed in the compiled binary, whose own runtime runs no other program; undefined when there
 * is none in it. Unpacked at the first need: nothing inside a binary can be started.
 */
export function createDenoUnpacker(options: DenoUnpackerOptions): () => Promise<string | undefined> {
  const { program = Deno.execPath() } = options;
  const folder = join(options.folder, `deno-${Deno.version.deno}-${Deno.build.target}`);
  let running: Promise<string | undefined> | undefined;
  return () => running ??= unpack(program, folder).finally(() => running = undefined);
}

async function unpack(program: string, folder: string): Promise<string | undefined> {
  const deno = join(folder, "deno");
  if (await isExecutable(deno)) return deno;
  const packed = await findPackedDeno(program);
  if (packed === undefined) return undefined;
  await mkdir(folder, { recursive: true });
  // Other servers may do the same right now; whoever is last replaces a file by its like.
  const draft = join(folder, `.${crypto.randomUUID()}.tmp`);
  try {
    await pipeline(
      createReadStream(program, { start: packed.start, end: packed.end - 1 }),
      createGunzip(),
      createWriteStream(draft, { flags: "wx", mode: 0o755 }),
    );
    await rename(draft, deno);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  return deno;
}
