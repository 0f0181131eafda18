import { ERRNO, WasiError } from "../errno.ts";

/** The memory of a module, read and written at addresses that it gives; one out of bounds throws a `RangeError`. */
export class GuestMemory {
  #memory: WebAssembly.Memory | undefined;
  #view: DataView = new DataView(new ArrayBuffer(0));

  /** Takes the memory, once the module is there. */
  attach(memory: WebAssembly.Memory): void {
    this.#memory = memory;
  }

  /** Bytes in it now. */
  size(): number {
    return this.#memory?.buffer.byteLength ?? 0;
  }

  /** Bytes in place, valid until the module runs on. */
  bytes(address: number, length: number): Uint8Array {
    return new Uint8Array(this.#now().buffer, address >>> 0, length >>> 0);
  }

  /** A text in UTF-8. */
  text(address: number, length: number): string {
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(this.bytes(address, length));
    } catch (error) {
      if (error instanceof TypeError) throw new WasiError(ERRNO.illegalText);
      throw error;
    }
  }

  /** The buffers of an `iovec` list. */
  buffers(address: number, count: number): Uint8Array[] {
    const buffers: Uint8Array[] = [];
    for (let i = 0; i < count >>> 0; i++) {
      buffers.push(this.bytes(this.u32(address + i * 8), this.u32(address + i * 8 + 4)));
    }
    return buffers;
  }

  /** Reads 8 bits. */
  u8(address: number): number {
    return this.#now().getUint8(address >>> 0);
  }

  /** Reads 16 bits. */
  u16(address: number): number {
    return this.#now().getUint16(address >>> 0, true);
  }

  /** Reads 32 bits. */
  u32(address: number): number {
    return this.#now().getUint32(address >>> 0, true);
  }

  /** Reads 64 bits. */
  u64(address: number): bigint {
    return this.#now().getBigUint64(address >>> 0, true);
  }

  /** Writes 8 bits. */
  setU8(address: number, value: number): void {
    this.#now().setUint8(address >>> 0, value);
  }

  /** Writes 16 bits. */
  setU16(address: number, value: number): void {
    this.#now().setUint16(address >>> 0, value, true);
  }

  /** Writes 32 bits. */
  setU32(address: number, value: number): void {
    this.#now().setUint32(address >>> 0, value, true);
  }

  /** Writes 64 bits. */
  setU64(address: number, value: bigint | number): void {
    this.#now().setBigUint64(address >>> 0, BigInt.asUintN(64, BigInt(value)), true);
  }

  /** Writes bytes. */
  setBytes(address: number, bytes: Uint8Array): void {
    this.bytes(address, bytes.length).set(bytes);
  }

  #now(): DataView {
    const buffer = this.#memory?.buffer;
    if (buffer === undefined) throw new WasiError(ERRNO.fault);
    // Growing the memory leaves the old buffer empty.
    if (this.#view.buffer !== buffer) this.#view = new DataView(buffer);
    return this.#view;
  }
}
