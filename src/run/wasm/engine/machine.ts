import type { Descriptors } from "./descriptors.ts";
import type { GuestMemory } from "./guest_memory.ts";
import type { Output } from "./output.ts";
import type { ServerLink } from "./server_link.ts";

/** What WASI functions of one run work on. */
export interface Machine {
  /** The module's memory. */
  readonly memory: GuestMemory;
  /** What the module has open. */
  readonly descriptors: Descriptors;
  /** The line to the server, which does all file work. */
  readonly link: ServerLink;
  /** What the module writes. */
  readonly output: Output;
}
