import { createReadStream, createWriteStream } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { findPackedDeno, packedDenoHead, runtimeEnd } from "../../src/install/packed_deno.ts";

/** Puts a Deno into a compiled program, gzipped. Throws for programs of systems other than Linux. */
export async function embedDeno(deno: string, program: string): Promise<void> {
  const [archive, draft] = [`${program}.deno.gz`, `${program}.draft`];
  try {
    await pipeline(createReadStream(deno), createGzip(), createWriteStream(archive));
    const end = await endOf(program);
    if (end === undefined) throw new Error(`Cannot embed ${deno}: ${program} is no 64-bit ELF file`);
    // What compiled programs read of themselves is found from their end.
    await pipeline(async function* () {
      yield* createReadStream(program, { end: end - 1 });
      yield packedDenoHead((await stat(archive)).size);
      yield* createReadStream(archive);
      yield* createReadStream(program, { start: end });
    }, createWriteStream(draft, { mode: 0o755 }));
    if (await findPackedDeno(draft) === undefined) throw new Error(`Cannot find ${deno} in ${program} again`);
    await rename(draft, program);
  } finally {
    for (const path of [archive, draft]) await rm(path, { force: true });
  }
}

async function endOf(program: string): Promise<number | undefined> {
  await using file = await open(program);
  return await runtimeEnd(file);
}
