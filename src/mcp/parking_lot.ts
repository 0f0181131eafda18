import { SkillzError } from "../base/errors.ts";
import type { ClientCaller } from "./client_caller.ts";
import type { ParkedCall } from "./parked_call.ts";

/** A call and the client that it speaks to. */
export interface ClientCall {
  readonly call: ParkedCall<unknown>;
  readonly caller: ClientCaller;
}

/** Options of {@linkcode ParkingLot}. */
export interface ParkingLotOptions {
  /**
   * How long a call waits for its client to come back, in milliseconds.
   * @default 600_000
   */
  readonly ttlMs?: number;
  /**
   * Most calls that wait at once.
   * @default 1_000
   */
  readonly max?: number;
}

interface Entry {
  readonly parked: ClientCall;
  readonly timer: ReturnType<typeof setTimeout>;
}

/** Calls that wait for their clients to come back with answers. Those that are abandoned are aborted in the end. */
export class ParkingLot implements Disposable {
  readonly #entries = new Map<string, Entry>();
  readonly #ttlMs: number;
  readonly #max: number;

  /** Makes an empty one. */
  constructor(options: ParkingLotOptions = {}) {
    this.#ttlMs = options.ttlMs ?? 600_000;
    this.#max = options.max ?? 1_000;
  }

  /** Seconds that a parked call waits. */
  get ttlSeconds(): number {
    return Math.ceil(this.#ttlMs / 1_000);
  }

  /** How many calls wait. */
  get size(): number {
    return this.#entries.size;
  }

  /** Lets a call wait. Aborts it and throws `SkillzError("limit")` when too many wait already. */
  park(parked: ClientCall): void {
    const { call } = parked;
    if (this.#entries.size >= this.#max) {
      const error = new SkillzError(
        "limit",
        `Cannot wait for an answer: ${this.#entries.size} calls wait already, at most ${this.#max} may`,
      );
      call.abort(error);
      throw error;
    }
    const timer = setTimeout(() => {
      this.#entries.delete(call.id);
      call.abort(new SkillzError("timeout", "Cannot go on: the client did not come back with an answer"));
    }, this.#ttlMs);
    Deno.unrefTimer(timer);
    this.#entries.set(call.id, { parked, timer });
  }

  /** Takes a call out so that it can go on; `undefined` when it does not wait (any more). */
  take(id: string): ClientCall | undefined {
    const entry = this.#entries.get(id);
    if (!entry) return undefined;
    this.#entries.delete(id);
    clearTimeout(entry.timer);
    return entry.parked;
  }

  /** Aborts the calls of a session that ended. */
  abandon(sessionId: string): void {
    for (const [id, entry] of [...this.#entries]) {
      if (entry.parked.caller.sessionId !== sessionId) continue;
      this.take(id)?.call.abort(new SkillzError("cancelled", "Cannot go on: the client is gone"));
    }
  }

  /** Aborts every call that waits. */
  [Symbol.dispose](): void {
    for (const id of [...this.#entries.keys()]) {
      this.take(id)?.call.abort(new SkillzError("cancelled", "Cannot go on: the server stops"));
    }
  }
}
