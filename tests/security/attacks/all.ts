import type { Attack } from "../attack.ts";
import { DENO_ATTACKS } from "./deno.ts";
import { FILE_ATTACKS } from "./files.ts";
import { KERNEL_ATTACKS } from "./kernel.ts";
import { NETWORK_ATTACKS } from "./network.ts";
import { ONLINE_ATTACKS } from "./online.ts";
import { ONLINE_MORE_ATTACKS } from "./online_more.ts";
import { PROCESS_ATTACKS } from "./processes.ts";
import { WASM_ATTACKS } from "./wasm.ts";

/** The corpus, in the order of the table. */
export const ATTACKS: readonly Attack[] = [
  ...FILE_ATTACKS,
  ...PROCESS_ATTACKS,
  ...KERNEL_ATTACKS,
  ...NETWORK_ATTACKS,
  ...ONLINE_ATTACKS,
  ...ONLINE_MORE_ATTACKS,
  ...DENO_ATTACKS,
  ...WASM_ATTACKS,
];
