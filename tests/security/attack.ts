import type { SandboxMode } from "../../src/base/sandbox_mode.ts";
import type { Bench } from "../support/sandboxed.ts";

/** Languages that attacks are written in. */
export type Language = "python" | "typescript" | "bash" | "wasm";

/** Modes under test; `deno` is no OS sandbox but Deno's flags, `wasm` the runner of modules. */
export type TestMode = Exclude<SandboxMode, "none"> | "deno" | "wasm";

/**
 * What a tool was granted: `plain` reads the workspace and writes one folder of it; `nested` writes a workspace that holds
 * TOOLS_DIR and the home folder; `online` is `plain` with some hosts, so that the way out is open.
 */
export type Setting = "plain" | "nested" | "online";

/** Where attacks happen: what they may reach and what they must not. */
export interface Place extends Bench {
  /** Text that is in every file and answer that must stay out of reach. */
  readonly secret: string;
  /** Port on 127.0.0.1 where the host answers HTTP with the secret. */
  readonly port: number;
  /** Hosts that are granted in `online`. */
  readonly hosts: Online;
  /** UDP port of the host. */
  readonly udpPort: number;
  /** Unix socket of the host, in a folder that may be read. */
  readonly socket: string;
  /** Process id of the host's server. */
  readonly pid: number;
  /** UDP datagrams that arrived so far. */
  arrived(): number;
}

/** What the hosts of the Internet are played by. */
export interface Online {
  /** `permissions.net`. */
  readonly granted: readonly string[];
  /** Host and port of the granted server, as the mode can reach it. */
  readonly web: string;
  /** Port of the granted server on 127.0.0.1. It tells the secret, and the Host header. */
  readonly webPort: number;
  /** Port of a server that nobody was granted, on all addresses of the machine. */
  readonly otherPort: number;
  /** What that one tells. */
  readonly otherSecret: string;
  /** How many connections it had so far, and requests that the granted one should not have had. */
  intrusions(): number;
}

/**
 * One attack as data: the same code with two targets. With `attack` it must fail; with `allowed`, in the very same
 * sandbox, it must succeed, so that a sandbox that breaks everything does not pass for a tight one.
 *
 * The code of a language is a body that throws (bash: fails) when it is held off.
 */
export interface Attack {
  readonly id: string;
  /** For the table. */
  readonly what: string;
  readonly attack: (place: Place) => string;
  readonly allowed: (place: Place) => string;
  readonly code: Partial<Record<Language, (target: string, place: Place) => string>>;
  /**
   * For attacks that write: the file of the host that must not change. Some sandboxes let a tool write to a private
   * file of the same name, which is no escape.
   */
  readonly victim?: (place: Place) => string;
  /**
   * What the tool was granted.
   * @default "plain", and again in "online"
   */
  readonly setting?: Setting;
  /** Modes that are known not to hold it, and why; the table shows that. */
  readonly gaps?: Partial<Record<TestMode, string>>;
  /** Some targets exist in one language only. */
  readonly allowedIn?: Partial<Record<Language, (place: Place) => string>>;
}
