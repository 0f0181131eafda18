import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { isExecutable } from "../process/find_program.ts";

/** Options of {@linkcode createDenoUnpacker}. */
export interface DenoUnpackerOptions {
  /** Where the program goes, in a folder of its own. */
  readonly folder: string;
  /**
   * The gzipped program; it may be missing.
   * @default where `deno task compile` puts it into the binary
   */
  readonly archive?: URL;
}

/**
 * Gives the Deno that lies packed in the compiled binary, whose own runtime runs no other program; undefined when there
 * is none in it. Unpacked at the first need: nothing inside a binary can be started.
 */
export function createDenoUnpacker(options: DenoUnpackerOptions): () => Promise<string | undefined> {
  const name = `deno-${Deno.version.deno}-${Deno.build.target}`;
  const { archive = new URL(`../../dist/${name}.gz`, import.meta.url) } = options;
  const folder = join(options.folder, name);
  let running: Promise<string | undefined> | undefined;
  return () => running ??= unpack(archive, folder).finally(() => running = undefined);
}

async function unpack(archive: URL, folder: string): Promise<string | undefined> {
  const program = join(folder, Deno.build.os === "windows" ? "deno.exe" : "deno");
  if (await isExecutable(program)) return program;
  const packed = await Deno.open(archive).catch(() => undefined);
  if (packed === undefined) return undefined;
  await mkdir(folder, { recursive: true });
  // Other servers may do the same right now; whoever is last replaces a file by its like.
  const draft = join(folder, `.${crypto.randomUUID()}.tmp`);
  try {
    const file = await Deno.open(draft, { write: true, createNew: true, mode: 0o755 });
    await packed.readable.pipeThrough(new DecompressionStream("gzip")).pipeTo(file.writable);
    await rename(draft, program);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  return program;
}
