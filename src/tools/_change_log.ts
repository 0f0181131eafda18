/** Longer than a day of work makes it; then it begins anew, and followers look at everything once. */
const MAX_BYTES = 64 * 1024;

/**
 * Appends to the file by which servers of one TOOLS_DIR tell each other what they changed: a tool's name a line. Must
 * be done under the store's lock, after the change.
 */
export async function announceChange(path: string, name: string): Promise<void> {
  const size = await changeLogSize(path);
  await Deno.writeTextFile(path, `${name}\n`, { append: size < MAX_BYTES });
}

/** How long the file is, in bytes; 0 when there is none. */
export async function changeLogSize(path: string): Promise<number> {
  return await Deno.stat(path).then((info) => info.size, () => 0);
}

/** What {@linkcode readChanges} found. */
export interface Changes {
  /** Names of changed tools, each once; undefined when nobody can tell, so that all must be looked at. */
  readonly names: ReadonlySet<string> | undefined;
  /** Where to read on next time. */
  readonly end: number;
}

/** Reads what was announced behind byte `from`. */
export async function readChanges(path: string, from: number): Promise<Changes> {
  const size = await changeLogSize(path);
  if (size < from) return { names: undefined, end: size };
  if (size === from) return { names: new Set(), end: from };
  using file = await Deno.open(path);
  await file.seek(from, Deno.SeekMode.Start);
  const bytes = new Uint8Array(size - from);
  const count = await file.read(bytes) ?? 0;
  // A line that is being written is read when it has ended.
  const whole = bytes.subarray(0, count).lastIndexOf(10) + 1;
  const names = new TextDecoder().decode(bytes.subarray(0, whole)).split("\n").filter((name) => name !== "");
  return { names: new Set(names), end: from + whole };
}
