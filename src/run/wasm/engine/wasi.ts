import { ERRNO, WasiError } from "../errno.ts";
import { fdCalls } from "./fd_calls.ts";
import type { Machine } from "./machine.ts";
import { pathCalls } from "./path_calls.ts";
import { processCalls, type WasiCall } from "./process_calls.ts";
import { streamCalls } from "./stream_calls.ts";

/** Sockets: there are none. */
const SOCKET_CALLS = ["sock_accept", "sock_recv", "sock_send", "sock_shutdown"];

/** All functions of WASI preview 1 for one run. */
export function wasiCalls(
  machine: Machine,
  process: { args: readonly string[]; env: readonly string[] },
): Record<string, WasiCall> {
  const calls: Record<string, WasiCall> = {
    ...processCalls(machine.memory, process),
    ...fdCalls(machine),
    ...streamCalls(machine),
    ...pathCalls(machine),
    ...Object.fromEntries(SOCKET_CALLS.map((name) => [name, () => ERRNO.notSocket])),
  };
  return Object.fromEntries(Object.entries(calls).map(([name, call]) => [name, guarded(call)]));
}

/** Turns what a call throws into an error number, but for what ends the module. */
function guarded(call: WasiCall): WasiCall {
  const run = call as (...args: unknown[]) => number;
  return (...args: unknown[]) => {
    try {
      return run(...args);
    } catch (error) {
      if (error instanceof WasiError) return error.errno;
      // An address outside the module's memory.
      if (error instanceof RangeError) return ERRNO.fault;
      throw error;
    }
  };
}
