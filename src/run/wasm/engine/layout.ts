import { ERRNO, WasiError } from "../errno.ts";
import type { FileReply, FileTimes } from "../engine_messages.ts";
import type { GuestMemory } from "./guest_memory.ts";

/** All rights of preview 1: what may be done is decided by the server, not by rights. */
export const ALL_RIGHTS = 0x3fff_ffffn;

/** The numbers of what a descriptor or directory entry is. */
const FILETYPE = {
  other: 0,
  stdin: 2,
  stdout: 2,
  stderr: 2,
  directory: 3,
  file: 4,
  link: 7,
} as const;

/** The number of a kind of file or descriptor. */
export function filetypeOf(kind: keyof typeof FILETYPE): number {
  return FILETYPE[kind];
}

/** Writes the facts of a reply as a `filestat`. */
export function writeFacts(
  memory: GuestMemory,
  address: number,
  { reply: { facts } }: { reply: Pick<FileReply, "facts"> },
): void {
  if (facts === undefined) throw new WasiError(ERRNO.io);
  memory.setBytes(address, new Uint8Array(64));
  memory.setU64(address, BigInt(facts.device));
  memory.setU64(address + 8, BigInt(facts.inode));
  memory.setU8(address + 16, filetypeOf(facts.kind));
  memory.setU64(address + 24, facts.links);
  memory.setU64(address + 32, facts.size);
  memory.setU64(address + 40, BigInt(facts.accessed));
  memory.setU64(address + 48, BigInt(facts.modified));
  memory.setU64(address + 56, BigInt(facts.changed));
}

const TIME_FLAGS = { accessed: 1, accessedNow: 2, modified: 4, modifiedNow: 8 } as const;

/** The times that a call with `fstflags` wants to be set. */
export function wantedTimes(
  flags: number,
  { accessed, modified }: { accessed: bigint; modified: bigint },
): FileTimes {
  const clash = (both: number) => (flags & both) === both;
  if (
    clash(TIME_FLAGS.accessed | TIME_FLAGS.accessedNow) || clash(TIME_FLAGS.modified | TIME_FLAGS.modifiedNow)
  ) throw new WasiError(ERRNO.invalid);
  return {
    ...(flags & TIME_FLAGS.accessed ? { accessed: String(BigInt.asUintN(64, accessed)) } : {}),
    ...(flags & TIME_FLAGS.accessedNow ? { accessed: "now" } : {}),
    ...(flags & TIME_FLAGS.modified ? { modified: String(BigInt.asUintN(64, modified)) } : {}),
    ...(flags & TIME_FLAGS.modifiedNow ? { modified: "now" } : {}),
  };
}
