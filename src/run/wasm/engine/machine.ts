import type { Descriptors } from "./descriptors.ts";
import type { GuestMemory } from "./guest_memory.ts";
import type { Output } from "./output.ts";
import type { ServerLink } from "./server_link.ts";

/** What WASI functions of one run work on. */
export interface Machine {
  readonly memory: GuestMemory;
  readonly descriptors: Descriptors;
  readonly link: ServerLink;
  readonly output: Output;
}
