import { ERRNO, WasiError } from "../errno.ts";
import type { Descriptor } from "./descriptors.ts";
import type { Machine } from "./machine.ts";
import type { WasiCall } from "./process_calls.ts";

/** Most bytes of a file that are moved at once. */
const PIECE = 1024 * 1024;

type OpenFile = Extract<Descriptor, { kind: "file" }>;

/** Reading and writing of streams and files. */
export function streamCalls({ memory, descriptors, link, output }: Machine): Record<string, WasiCall> {
  return {
    fd_read(fd: number, vectors: number, count: number, out: number) {
      const descriptor = descriptors.get(fd);
      const buffers = memory.buffers(vectors, count);
      const done = read(descriptor, buffers);
      memory.setU32(out, done);
      return ERRNO.success;
    },
    fd_pread(fd: number, vectors: number, count: number, offset: bigint, out: number) {
      const file = descriptors.file(fd);
      memory.setU32(out, readFile(file, memory.buffers(vectors, count), Number(offset)));
      return ERRNO.success;
    },
    fd_write(fd: number, vectors: number, count: number, out: number) {
      const bytes = joined(memory.buffers(vectors, count));
      memory.setU32(out, write(descriptors.get(fd), bytes));
      return ERRNO.success;
    },
    fd_pwrite(fd: number, vectors: number, count: number, offset: bigint, out: number) {
      const file = descriptors.file(fd);
      const bytes = joined(memory.buffers(vectors, count));
      memory.setU32(out, writeFile(file, bytes, Number(offset)).bytes);
      return ERRNO.success;
    },
  };

  function read(from: Descriptor, buffers: readonly Uint8Array[]): number {
    switch (from.kind) {
      case "stdin": {
        const done = scatter(from.bytes.subarray(from.position), buffers);
        from.position += done;
        return done;
      }
      case "file": {
        const done = readFile(from, buffers, from.position);
        from.position += done;
        return done;
      }
      case "directory":
        throw new WasiError(ERRNO.isDirectory);
      case "stdout":
      case "stderr":
        throw new WasiError(ERRNO.badDescriptor);
    }
  }

  function readFile(file: OpenFile, buffers: readonly Uint8Array[], offset: number): number {
    if (!file.read) throw new WasiError(ERRNO.badDescriptor);
    const length = Math.min(PIECE, buffers.reduce((sum, buffer) => sum + buffer.length, 0));
    if (length === 0) return 0;
    return scatter(link.work({ op: "read", handle: file.handle, offset, length }).bytes, buffers);
  }

  function write(to: Descriptor, bytes: Uint8Array): number {
    switch (to.kind) {
      case "stdout":
      case "stderr":
        if (bytes.length > 0) output[to.kind](bytes);
        return bytes.length;
      case "file": {
        const written = writeFile(to, bytes, to.append ? undefined : to.position);
        to.position = written.position;
        return written.bytes;
      }
      case "directory":
        throw new WasiError(ERRNO.isDirectory);
      case "stdin":
        throw new WasiError(ERRNO.badDescriptor);
    }
  }

  function writeFile(
    file: OpenFile,
    bytes: Uint8Array,
    offset: number | undefined,
  ): { bytes: number; position: number } {
    if (!file.write) throw new WasiError(ERRNO.badDescriptor);
    const at = offset === undefined ? {} : { offset };
    const { reply } = link.work({ op: "write", handle: file.handle, ...at }, bytes.subarray(0, PIECE));
    if (reply.written === undefined) throw new WasiError(ERRNO.io);
    return reply.written;
  }
}

function scatter(bytes: Uint8Array, buffers: readonly Uint8Array[]): number {
  let done = 0;
  for (const buffer of buffers) {
    const part = bytes.subarray(done, done + buffer.length);
    buffer.set(part);
    done += part.length;
  }
  return done;
}

function joined(buffers: readonly Uint8Array[]): Uint8Array {
  const [first] = buffers;
  if (first !== undefined && buffers.length === 1) return first;
  const bytes = new Uint8Array(buffers.reduce((sum, buffer) => sum + buffer.length, 0));
  let done = 0;
  for (const buffer of buffers) {
    bytes.set(buffer, done);
    done += buffer.length;
  }
  return bytes;
}
