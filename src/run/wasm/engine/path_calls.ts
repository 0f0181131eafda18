import { ERRNO, WasiError } from "../errno.ts";
import type { FilePlace } from "../engine_messages.ts";
import { wantedTimes, writeFacts } from "./layout.ts";
import type { Machine } from "./machine.ts";
import type { WasiCall } from "./process_calls.ts";

/** As Linux has it. */
const MOST_PATH_BYTES = 4096;
const FOLLOW = 1;
const OPEN = { create: 1, directory: 2, exclusive: 4, truncate: 8 } as const;
const APPEND = 1;
const RIGHTS = { read: 1n << 1n, write: 1n << 6n, list: 1n << 14n } as const;

/** Work on paths, each below an open folder. */
export function pathCalls({ memory, descriptors, link }: Machine): Record<string, WasiCall> {
  /** The server gets no text that could be no path. */
  const pathText = (address: number, length: number): string => {
    if (length >>> 0 > MOST_PATH_BYTES) throw new WasiError(ERRNO.nameTooLong);
    return memory.text(address, length);
  };
  const place = (fd: number, address: number, length: number): FilePlace => ({
    at: descriptors.folder(fd),
    path: pathText(address, length),
  });
  const simple = (op: "makeFolder" | "removeFolder" | "removeFile") =>
  (
    fd: number,
    address: number,
    length: number,
  ) => {
    link.work({ op, place: place(fd, address, length) });
    return ERRNO.success;
  };
  return {
    path_create_directory: simple("makeFolder"),
    path_remove_directory: simple("removeFolder"),
    path_unlink_file: simple("removeFile"),
    path_filestat_get(fd: number, flags: number, path: number, length: number, out: number) {
      const follow = (flags & FOLLOW) !== 0;
      writeFacts(memory, out, link.work({ op: "factsAt", place: place(fd, path, length), follow }));
      return ERRNO.success;
    },
    path_filestat_set_times(
      fd: number,
      flags: number,
      path: number,
      length: number,
      accessed: bigint,
      modified: bigint,
      wanted: number,
    ) {
      const times = wantedTimes(wanted, { accessed, modified });
      const follow = (flags & FOLLOW) !== 0;
      link.work({ op: "timesAt", place: place(fd, path, length), follow, times });
      return ERRNO.success;
    },
    path_link(
      fromFd: number,
      flags: number,
      from: number,
      fromLength: number,
      toFd: number,
      to: number,
      toLength: number,
    ) {
      // Following a link while making another one is left out, as Linux's own default has it.
      if (flags & FOLLOW) throw new WasiError(ERRNO.invalid);
      link.work({ op: "hardLink", place: place(fromFd, from, fromLength), to: place(toFd, to, toLength) });
      return ERRNO.success;
    },
    path_rename(
      fromFd: number,
      from: number,
      fromLength: number,
      toFd: number,
      to: number,
      toLength: number,
    ) {
      link.work({ op: "rename", place: place(fromFd, from, fromLength), to: place(toFd, to, toLength) });
      return ERRNO.success;
    },
    path_symlink(target: number, targetLength: number, fd: number, path: number, length: number) {
      const text = pathText(target, targetLength);
      link.work({ op: "softLink", place: place(fd, path, length), target: text });
      return ERRNO.success;
    },
    path_readlink(fd: number, path: number, length: number, buffer: number, size: number, used: number) {
      const { target = "" } = link.work({ op: "readLink", place: place(fd, path, length) }).reply;
      const bytes = new TextEncoder().encode(target).subarray(0, size >>> 0);
      memory.setBytes(buffer, bytes);
      memory.setU32(used, bytes.length);
      return ERRNO.success;
    },
    path_open(
      fd: number,
      lookup: number,
      path: number,
      length: number,
      flags: number,
      rights: bigint,
      _inherited: bigint,
      fdFlags: number,
      out: number,
    ) {
      descriptors.checkRoom();
      const append = (fdFlags & APPEND) !== 0;
      const how = {
        follow: (lookup & FOLLOW) !== 0,
        create: (flags & OPEN.create) !== 0,
        directory: (flags & OPEN.directory) !== 0,
        exclusive: (flags & OPEN.exclusive) !== 0,
        truncate: (flags & OPEN.truncate) !== 0,
        read: (rights & (RIGHTS.read | RIGHTS.list)) !== 0n,
        write: (rights & RIGHTS.write) !== 0n,
        append,
      };
      const { opened } = link.work({ op: "open", place: place(fd, path, length), how }).reply;
      if (opened === undefined) throw new WasiError(ERRNO.io);
      const { handle } = opened;
      const { read, write } = how;
      memory.setU32(
        out,
        descriptors.add(
          opened.kind === "directory"
            ? { kind: "directory", handle }
            : { kind: "file", handle, position: 0, append, read, write },
        ),
      );
      return ERRNO.success;
    },
  };
}
