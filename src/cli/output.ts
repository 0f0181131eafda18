/** Writes text to stdout, whole; for commands, never for `serve` over stdio. */
export async function writeOutput(text: string): Promise<void> {
  await writeAll(Deno.stdout, text);
}

/** Writes text to stderr, whole. */
export async function writeError(text: string): Promise<void> {
  await writeAll(Deno.stderr, text);
}

async function writeAll(target: { write(bytes: Uint8Array): Promise<number> }, text: string): Promise<void> {
  const bytes = new TextEncoder().encode(text);
  for (let done = 0; done < bytes.length;) done += await target.write(bytes.subarray(done));
}
