import { ERRNO, WasiError } from "../errno.ts";
import type { GuestMemory } from "./guest_memory.ts";
import { pollCalls } from "./poll_calls.ts";

/** Ends a module that called `proc_exit`. */
export class ProcessExit extends Error {
  /** What the module gave to `proc_exit`. */
  readonly code: number;

  /** Makes one. */
  constructor(code: number) {
    super(`The module ended with exit code ${code}`);
    this.code = code;
  }
}

/** A WASI function: numbers in, error number out; 64-bit numbers are bigints. */
export type WasiCall = (...args: never[]) => number;

/** WASI clocks: the time of day, and three that count from the start of the process. */
const REALTIME = 0;
const CLOCKS = 4;
/** Most random bytes that the platform gives at once. */
const RANDOM_BYTES = 65_536;

/** Arguments, environment, clocks, chance, and the end of the process. */
export function processCalls(
  memory: GuestMemory,
  { args, env }: { args: readonly string[]; env: readonly string[] },
): Record<string, WasiCall> {
  return {
    ...listCalls(memory, { name: "args", texts: args, sizes: "args_sizes_get" }),
    ...listCalls(memory, { name: "environ", texts: env, sizes: "environ_sizes_get" }),
    clock_res_get(clock: number, out: number) {
      checkClock(clock);
      memory.setU64(out, clock === REALTIME ? 1_000_000 : 1000);
      return ERRNO.success;
    },
    clock_time_get(clock: number, _precision: bigint, out: number) {
      checkClock(clock);
      memory.setU64(out, clock === REALTIME ? timeOfDay() : uptime());
      return ERRNO.success;
    },
    random_get(address: number, length: number) {
      const bytes = memory.bytes(address, length);
      const random = new Uint8Array(Math.min(bytes.length, RANDOM_BYTES));
      for (let done = 0; done < bytes.length; done += RANDOM_BYTES) {
        bytes.set(crypto.getRandomValues(random).subarray(0, bytes.length - done), done);
      }
      return ERRNO.success;
    },
    sched_yield: () => ERRNO.success,
    proc_exit(code: number) {
      throw new ProcessExit(code >>> 0);
    },
    proc_raise(signal: number) {
      throw new ProcessExit(128 + signal);
    },
    ...pollCalls(memory, { timeOfDay, uptime }),
  };
}

/** Nanoseconds since the epoch. */
function timeOfDay(): bigint {
  return BigInt(Math.round((performance.timeOrigin + performance.now()) * 1000)) * 1000n;
}

/** Nanoseconds since the engine started. */
function uptime(): bigint {
  return BigInt(Math.round(performance.now() * 1_000_000));
}

function checkClock(clock: number): void {
  if (clock >>> 0 >= CLOCKS) throw new WasiError(ERRNO.invalid);
}

/** A list of texts: `<name>_get` and the call that tells how much room it needs, in bytes of UTF-8. */
function listCalls(
  memory: GuestMemory,
  { name, texts, sizes }: { name: string; texts: readonly string[]; sizes: string },
): Record<string, WasiCall> {
  const encoder = new TextEncoder();
  const encoded = texts.map((text) => encoder.encode(`${text.replaceAll("\0", "")}\0`));
  return {
    [sizes](count: number, size: number) {
      memory.setU32(count, encoded.length);
      memory.setU32(size, encoded.reduce((sum, bytes) => sum + bytes.length, 0));
      return ERRNO.success;
    },
    [`${name}_get`](pointers: number, buffer: number) {
      let address = buffer;
      encoded.forEach((bytes, i) => {
        memory.setU32(pointers + i * 4, address);
        memory.setBytes(address, bytes);
        address += bytes.length;
      });
      return ERRNO.success;
    },
  };
}
