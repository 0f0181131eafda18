import { ERRNO, WasiError } from "../errno.ts";
import type { FolderEntry } from "../engine_messages.ts";
import { filetypeOf } from "./layout.ts";
import type { Machine } from "./machine.ts";
import type { WasiCall } from "./process_calls.ts";

const ENTRY_BYTES = 24;

/** Preopened folders, and what is in a folder. */
export function folderCalls(
  { memory, descriptors, link }: Pick<Machine, "memory" | "descriptors" | "link">,
): Record<string, WasiCall> {
  const preopen = (fd: number): Uint8Array => {
    const descriptor = descriptors.get(fd);
    if (descriptor.kind !== "directory" || descriptor.preopen === undefined) {
      throw new WasiError(ERRNO.badDescriptor);
    }
    return new TextEncoder().encode(descriptor.preopen);
  };
  /** Listings under way: a folder is read once and told in as many pieces as the module's buffers need. */
  const listings = new Map<number, readonly FolderEntry[]>();
  return {
    fd_prestat_get(fd: number, out: number) {
      memory.setU32(out, 0);
      memory.setU32(out + 4, preopen(fd).length);
      return ERRNO.success;
    },
    fd_prestat_dir_name(fd: number, address: number, length: number) {
      const name = preopen(fd);
      if (length >>> 0 < name.length) throw new WasiError(ERRNO.nameTooLong);
      memory.setBytes(address, name);
      return ERRNO.success;
    },
    fd_readdir(fd: number, address: number, length: number, cookie: bigint, used: number) {
      const handle = descriptors.folder(fd);
      const entries = (cookie === 0n ? undefined : listings.get(handle)) ??
        link.work({ op: "list", handle }).reply.entries ?? [];
      listings.set(handle, entries);
      const buffer = memory.bytes(address, length);
      let size = 0;
      for (let i = Number(cookie); i < entries.length && size < buffer.length; i++) {
        const entry = entries[i];
        if (entry === undefined) break;
        // What does not fit is cut: a full buffer tells the module to ask on.
        const bytes = encodeEntry(entry, BigInt(i + 1)).subarray(0, buffer.length - size);
        buffer.set(bytes, size);
        size += bytes.length;
      }
      if (size < buffer.length) listings.delete(handle);
      memory.setU32(used, size);
      return ERRNO.success;
    },
  };
}

function encodeEntry(entry: FolderEntry, next: bigint): Uint8Array {
  const name = new TextEncoder().encode(entry.name);
  const bytes = new Uint8Array(ENTRY_BYTES + name.length);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(0, next, true);
  view.setBigUint64(8, BigInt(entry.inode), true);
  view.setUint32(16, name.length, true);
  view.setUint8(20, filetypeOf(entry.kind));
  bytes.set(name, ENTRY_BYTES);
  return bytes;
}
