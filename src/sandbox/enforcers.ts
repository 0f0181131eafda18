import type { SandboxMode } from "../base/sandbox_mode.ts";
import { bubblewrap } from "./bubblewrap.ts";
import { firejail } from "./firejail.ts";
import { nsjail } from "./nsjail.ts";
import type { Enforcer } from "./enforcer.ts";

/** Every mode with its enforcer. */
export const ENFORCERS = {
  bubblewrap,
  firejail,
  nsjail,
  none: undefined,
} satisfies Record<SandboxMode, Enforcer | undefined>;
