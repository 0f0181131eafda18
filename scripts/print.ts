const encoder = new TextEncoder();

/** Writes one line to standard output, whole, before it returns: a line is never lost at `Deno.exit`. */
export function print(line = ""): void {
  let bytes = encoder.encode(`${line}\n`);
  while (bytes.length > 0) bytes = bytes.subarray(Deno.stdout.writeSync(bytes));
}
