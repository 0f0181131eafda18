import { type FileHandle, open } from "node:fs/promises";

/** Which bytes of a program are the gzipped Deno in it. */
export interface PackedDeno {
  /** The first. */
  readonly start: number;
  /** The one after the last. */
  readonly end: number;
}

/** What stands before a packed Deno, followed by its length. */
const MARK = "skillz: deno.gz\n";
const HEAD_BYTES = MARK.length + 8;
const ELF_HEADER_BYTES = 64;

/** What `deno task compile` puts before a packed Deno of that many bytes. */
export function packedDenoHead(bytes: number): Uint8Array {
  const head = new Uint8Array(HEAD_BYTES);
  new TextEncoder().encodeInto(MARK, head);
  new DataView(head.buffer).setBigUint64(MARK.length, BigInt(bytes), true);
  return head;
}

/**
 * Looks for the Deno in a compiled program. It lies between the runtime and the files of `deno compile`, which would
 * all be read into memory at each start.
 */
export async function findPackedDeno(program: string): Promise<PackedDeno | undefined> {
  await using file = await open(program);
  const at = await runtimeEnd(file);
  if (at === undefined) return undefined;
  const head = await read(file, { at, length: HEAD_BYTES });
  if (new TextDecoder().decode(head.subarray(0, MARK.length)) !== MARK) return undefined;
  const length = Number(viewOf(head).getBigUint64(MARK.length, true));
  return { start: at + HEAD_BYTES, end: at + HEAD_BYTES + length };
}

/** Where the runtime of a compiled program ends: behind the section headers. Undefined for other than 64-bit ELF files. */
export async function runtimeEnd(file: FileHandle): Promise<number | undefined> {
  const header = await read(file, { at: 0, length: ELF_HEADER_BYTES });
  const isElf64 = header.length === ELF_HEADER_BYTES && viewOf(header).getUint32(0) === 0x7f454c46 &&
    header[4] === 2 && header[5] === 1;
  if (!isElf64) return undefined;
  const view = viewOf(header);
  return Number(view.getBigUint64(0x28, true)) + view.getUint16(0x3a, true) * view.getUint16(0x3c, true);
}

async function read(file: FileHandle, { at, length }: { at: number; length: number }): Promise<Uint8Array> {
  const { buffer, bytesRead } = await file.read(new Uint8Array(length), 0, length, at);
  return buffer.subarray(0, bytesRead);
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}
