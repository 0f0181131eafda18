import type { SandboxMode } from "../base/sandbox_mode.ts";
import type { Permissions } from "./permissions.ts";

/**
 * What an enforcer makes of a permission: `held` – exactly what is granted; `refused` – a tool that asks for it does not
 * run; `reported` – not held, and the docs and `skillz/isolation` say so.
 */
export type Capability = "held" | "refused" | "reported";

/** Who enforces: an OS sandbox, Deno's flags alone, the WASM engine, or nobody. */
export type EnforcerName = SandboxMode | "deno" | "wasm";

/** A capability with what one has to know about it. */
export interface CapabilityNote {
  /** Whether the enforcer holds it. */
  readonly state: Capability;
  /** Where that ends, or what happens instead. */
  readonly note?: string;
}

const held: CapabilityNote = { state: "held" };
const refused: CapabilityNote = { state: "refused" };
const reported: CapabilityNote = { state: "reported" };

/** The sandboxes with a mount view of their own differ only in what their filters can say. */
const sandboxed: Readonly<Record<keyof Permissions, CapabilityNote>> = {
  net: held,
  read: held,
  write: held,
  env: held,
  run: { state: "reported", note: "programs of the system can be started anyway, in the same sandbox" },
  sys: { state: "reported", note: "/proc tells processor, memory and mounts" },
  ffi: { state: "reported", note: "native code runs anyway, in the same sandbox" },
  import: { state: "held", note: "as hosts of `net`" },
};

/** Which permission each enforcer holds. Deno tools have their flags inside an OS sandbox too, so both apply. */
export const CAPABILITIES: Readonly<
  Record<EnforcerName, Readonly<Record<keyof Permissions, CapabilityNote>>>
> = {
  bubblewrap: sandboxed,
  nsjail: sandboxed,
  firejail: {
    ...sandboxed,
    write: { state: "held", note: "but for set-user-ID bits, which its filter can't see" },
  },
  deno: {
    net: { state: "held", note: "names, not the addresses they resolve to" },
    read: { state: "held", note: "links that lie in a granted folder are followed" },
    write: { state: "held", note: "links that lie in a granted folder are followed" },
    env: held,
    run: { state: "refused", note: "it would void all others" },
    sys: held,
    ffi: { state: "refused", note: "it would void all others" },
    import: held,
  },
  wasm: {
    net: refused,
    read: held,
    write: held,
    env: held,
    run: refused,
    sys: refused,
    ffi: refused,
    import: refused,
  },
  none: {
    net: reported,
    read: reported,
    write: reported,
    env: held,
    run: reported,
    sys: reported,
    ffi: reported,
    import: reported,
  },
};
