import type { SandboxMode } from "../base/sandbox_mode.ts";
import type { View } from "./view.ts";

/** What an enforcer's command line is made from. */
export interface EnforcerInput {
  /** Path of the sandbox program. */
  readonly program: string;
  readonly view: View;
  /** Whether Unix sockets may be made. */
  readonly unixSockets: boolean;
  /** Descriptor from which a seccomp program is read; absent where there is none for this processor. */
  readonly filterFd?: number;
}

/** One way to confine a child: a pure function from a view to a command line. */
export interface Enforcer {
  readonly mode: Exclude<SandboxMode, "none">;
  /** Name of its program. */
  readonly program: string;
  /** How to get it to work. */
  readonly cure: string;
  /** The whole command line; the job's own command comes last. */
  command(input: EnforcerInput): readonly string[];
}
