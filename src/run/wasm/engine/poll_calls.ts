import { ERRNO, WasiError } from "../errno.ts";
import type { GuestMemory } from "./guest_memory.ts";
import type { WasiCall } from "./process_calls.ts";

/** Clocks that sleeping is measured by. */
export interface PollClocks {
  /** Nanoseconds since the epoch. */
  timeOfDay(): bigint;
  /** Nanoseconds since some start. */
  uptime(): bigint;
}

interface Subscription {
  readonly userdata: bigint;
  readonly type: number;
  /** When it is due by the uptime clock; files are always ready. */
  readonly due: bigint;
  /** What is wrong with it. */
  readonly errno: number;
}

const CLOCK = 0;
const SUBSCRIPTION_BYTES = 48;
const EVENT_BYTES = 32;
const ABSOLUTE = 1;
/** How many bytes a stream that is always ready claims to have room for. */
const READY_BYTES = 65_536;

/** `poll_oneoff`: sleeping, and waiting for streams, which are always ready here. */
export function pollCalls(memory: GuestMemory, clocks: PollClocks): Record<string, WasiCall> {
  // Nothing ever changes it: waiting for it is sleeping.
  const never = new Int32Array(new SharedArrayBuffer(4));
  return {
    poll_oneoff(input: number, output: number, count: number, stored: number) {
      if (count >>> 0 === 0) throw new WasiError(ERRNO.invalid);
      const start = clocks.uptime();
      const subscriptions = Array.from(
        { length: count >>> 0 },
        (_, i) => readSubscription(memory, input + i * SUBSCRIPTION_BYTES, { clocks, start }),
      );
      const first = subscriptions.reduce((least, { due }) => due < least ? due : least, 2n ** 64n);
      while (clocks.uptime() < first) {
        Atomics.wait(never, 0, 0, Math.min(Number(first - clocks.uptime()) / 1e6, 2 ** 30));
      }
      const ready = subscriptions.filter(({ due }) => due <= first);
      ready.forEach((subscription, i) => writeEvent(memory, output + i * EVENT_BYTES, subscription));
      memory.setU32(stored, ready.length);
      return ERRNO.success;
    },
  };
}

function readSubscription(
  memory: GuestMemory,
  address: number,
  { clocks, start }: { clocks: PollClocks; start: bigint },
): Subscription {
  const userdata = memory.u64(address);
  const type = memory.u8(address + 8);
  if (type !== CLOCK) return { userdata, type, due: 0n, errno: ERRNO.success };
  const clock = memory.u32(address + 16);
  const timeout = memory.u64(address + 24);
  const isAbsolute = (memory.u16(address + 40) & ABSOLUTE) !== 0;
  if (clock > 1) return { userdata, type, due: 0n, errno: ERRNO.invalid };
  const now = isAbsolute ? (clock === 0 ? clocks.timeOfDay() : start) : 0n;
  const left = timeout - now;
  return { userdata, type, due: left <= 0n ? start : start + left, errno: ERRNO.success };
}

function writeEvent(memory: GuestMemory, address: number, { userdata, type, errno }: Subscription): void {
  memory.setBytes(address, new Uint8Array(EVENT_BYTES));
  memory.setU64(address, userdata);
  memory.setU16(address + 8, errno);
  memory.setU8(address + 10, type);
  if (type !== CLOCK) memory.setU64(address + 16, READY_BYTES);
}
