import { ERRNO, WasiError } from "../errno.ts";
import type { Descriptors } from "./descriptors.ts";
import { ALL_RIGHTS, filetypeOf, wantedTimes, writeFacts } from "./layout.ts";
import type { Machine } from "./machine.ts";
import type { WasiCall } from "./process_calls.ts";
import { folderCalls } from "./folder_calls.ts";

/** Open flag: each write goes to the end. */
const APPEND = 1;
/** Seek from the start, from here, from the end. */
const WHENCE = { set: 0, current: 1, end: 2 } as const;

/** Work on open descriptors but for reading and writing. */
export function fdCalls({ memory, descriptors, link }: Machine): Record<string, WasiCall> {
  const sync = (fd: number) => {
    link.work({ op: "sync", handle: descriptors.file(fd).handle });
    return ERRNO.success;
  };
  return {
    ...folderCalls({ memory, descriptors, link }),
    fd_advise: (fd: number) => (descriptors.get(fd), ERRNO.success),
    fd_allocate(fd: number, offset: bigint, length: bigint) {
      const { handle } = writable(descriptors, fd);
      link.work({ op: "resize", handle, size: Number(offset + length), grow: true });
      return ERRNO.success;
    },
    fd_close(fd: number) {
      release(descriptors.remove(fd));
      return ERRNO.success;
    },
    fd_datasync: sync,
    fd_sync: sync,
    fd_fdstat_get(fd: number, out: number) {
      const descriptor = descriptors.get(fd);
      memory.setBytes(out, new Uint8Array(24));
      memory.setU8(out, filetypeOf(descriptor.kind));
      memory.setU16(out + 2, descriptor.kind === "file" && descriptor.append ? APPEND : 0);
      // With the right to seek, C takes the streams for no terminals and buffers whole blocks.
      memory.setU64(out + 8, ALL_RIGHTS);
      memory.setU64(out + 16, descriptor.kind === "directory" ? ALL_RIGHTS : 0n);
      return ERRNO.success;
    },
    fd_fdstat_set_flags(fd: number, flags: number) {
      const descriptor = descriptors.get(fd);
      if (descriptor.kind === "file") descriptor.append = (flags & APPEND) !== 0;
      return ERRNO.success;
    },
    fd_fdstat_set_rights: (fd: number) => (descriptors.get(fd), ERRNO.success),
    fd_filestat_get(fd: number, out: number) {
      const descriptor = descriptors.get(fd);
      if (descriptor.kind === "file" || descriptor.kind === "directory") {
        writeFacts(memory, out, link.work({ op: "facts", handle: descriptor.handle }));
      } else {
        memory.setBytes(out, new Uint8Array(64));
        memory.setU8(out + 16, filetypeOf(descriptor.kind));
      }
      return ERRNO.success;
    },
    fd_filestat_set_size(fd: number, size: bigint) {
      link.work({ op: "resize", handle: writable(descriptors, fd).handle, size: Number(size), grow: false });
      return ERRNO.success;
    },
    fd_filestat_set_times(fd: number, accessed: bigint, modified: bigint, flags: number) {
      const times = wantedTimes(flags, { accessed, modified });
      link.work({ op: "times", handle: descriptors.file(fd).handle, times });
      return ERRNO.success;
    },
    fd_seek(fd: number, offset: bigint, whence: number, out: number) {
      const file = descriptors.file(fd);
      const target = Number(offset) + base(file, whence);
      if (!(target >= 0)) throw new WasiError(ERRNO.invalid);
      file.position = target;
      memory.setU64(out, target);
      return ERRNO.success;
    },
    fd_tell(fd: number, out: number) {
      memory.setU64(out, descriptors.file(fd).position);
      return ERRNO.success;
    },
    fd_renumber(from: number, to: number) {
      release(descriptors.move(from, to));
      return ERRNO.success;
    },
  };

  function base(file: { handle: number; position: number }, whence: number): number {
    if (whence === WHENCE.set) return 0;
    if (whence === WHENCE.current) return file.position;
    if (whence !== WHENCE.end) throw new WasiError(ERRNO.invalid);
    return link.work({ op: "facts", handle: file.handle }).reply.facts?.size ?? 0;
  }

  function release(descriptor: ReturnType<Descriptors["get"]>): void {
    // The handles of preopened folders live as long as the run.
    const isOwn = descriptor.kind === "file" ||
      descriptor.kind === "directory" && descriptor.preopen === undefined;
    if (isOwn) link.work({ op: "close", handle: descriptor.handle });
  }
}

function writable(descriptors: Descriptors, fd: number): { handle: number } {
  const file = descriptors.file(fd);
  if (!file.write) throw new WasiError(ERRNO.badDescriptor);
  return file;
}
