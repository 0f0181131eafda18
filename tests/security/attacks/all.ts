import type { Attack } from "../attack.ts";
import { DENO_ATTACKS } from "./deno.ts";
import { FILE_ATTACKS } from "./files.ts";
import { KERNEL_ATTACKS } from "./kernel.ts";
import { NETWORK_ATTACKS } from "./network.ts";
import { PROCESS_ATTACKS } from "./processes.ts";

/** The corpus, in the order of the table. */
export const ATTACKS: readonly Attack[] = [
  ...FILE_ATTACKS,
  ...PROCESS_ATTACKS,
  ...KERNEL_ATTACKS,
  ...NETWORK_ATTACKS,
  ...DENO_ATTACKS,
];
