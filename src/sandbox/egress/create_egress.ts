import { SkillzError } from "../../base/errors.ts";
import { loadLate } from "../../base/load_late.ts";
import type { OpenEgress } from "../egress_port.ts";
import type { ProgramResolver } from "../resolve_program.ts";
import type { ResolveHost } from "./dial.ts";
import type { EgressLimits } from "./limits.ts";
import type { EgressPlace } from "./open_place.ts";

/** Options of {@linkcode createEgress}. */
export interface EgressOptions {
  /** Finds the program that relays inside. */
  readonly programs: ProgramResolver;
  /**
   * Finds the addresses of a name.
   * @default the system's resolver
   */
  readonly resolve?: ResolveHost;
  /**
   * Bounds of each job.
   * @default EGRESS_LIMITS
   */
  readonly limits?: EgressLimits;
  /**
   * Where the folder of the sockets is made; its path must be short.
   * @default the system's folder for temporary files
   */
  readonly tempRoot?: string;
}

/** Lets the jobs of a server out to the hosts that each was granted. */
export interface Egress extends AsyncDisposable {
  /** Opens the proxy of one job. Every job has a socket of its own, so that none can use another's grants. */
  readonly open: OpenEgress;
}

/** The way out for all jobs of a server. Makes and loads nothing before the first one. */
export function createEgress(options: EgressOptions): Egress {
  let closed = false;
  let place: Promise<EgressPlace> | undefined;
  const open = async (signal: AbortSignal) => {
    const late = new URL("./open_place.ts", import.meta.url);
    const { openPlace } = await loadLate<typeof import("./open_place.ts")>(late);
    return await openPlace(options, signal);
  };
  return {
    async open(request) {
      if (closed) throw new SkillzError("cancelled", "Cannot let hosts through: the server is closing");
      const opening = place ??= open(request.signal);
      // What an aborted job left undone, the next one tries again.
      opening.catch(() => place = place === opening ? undefined : place);
      const shared = await opening;
      request.signal.throwIfAborted();
      return shared.open(request);
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      const shared = await place?.catch(() => undefined);
      await shared?.[Symbol.asyncDispose]();
    },
  };
}
