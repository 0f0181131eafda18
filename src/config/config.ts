import type { LogLevel } from "../base/log.ts";
import type { SandboxChoice } from "../base/sandbox_mode.ts";
import type { HttpSettings } from "./http_settings.ts";

/** An MCP server named in `skillz.toml`. */
export interface ConfiguredServer {
  /** Program to start it with; absent for one that is reached by `url`. */
  readonly command?: string;
  /** Arguments of the program. */
  readonly args: readonly string[];
  /** Variables that this server gets, and no other child. */
  readonly env: Readonly<Record<string, string>>;
  /** Address of a server that runs already. */
  readonly url?: string;
  /** HTTP headers of every request to `url`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Known, but not started. */
  readonly disabled: boolean;
}

/** `[policy]` of both files, unchecked. A file that could not be read has one that can't be read either. */
export interface PolicyTables {
  /** Of TOOLS_DIR: the user's own. */
  readonly own?: unknown;
  /** Of the current folder. */
  readonly workspace?: unknown;
}

/**
 * Everything that flags, environment, and `skillz.toml` say, resolved once at start and frozen.
 * Nothing else reads the environment.
 */
export interface Config {
  /** Absolute path of TOOLS_DIR. */
  readonly toolsDir: string;
  /**
   * SKILLZ_ROOTS or the current folder, absolute; none when that is the home folder or one above it. The client's roots
   * go first.
   */
  readonly roots: readonly string[];
  /** The user's folder for what can be made again; written to only where TOOLS_DIR is read-only. */
  readonly cacheDir: string;
  /** Home folder of the user, for knowledge skills and the older edition's files. */
  readonly home: string;
  /** Whether TOOLS_DIR is watched for changes. */
  readonly hotReload: boolean;
  /** Skills and bundles active from the start. */
  readonly skills: readonly string[];
  /** What SKILLZ_SANDBOX asks for. */
  readonly sandbox: SandboxChoice;
  /** Whether tools that declare no `net` may use the network in the sandbox. */
  readonly sandboxNetwork: boolean;
  /** A remote libSQL for the memory, instead of the file in TOOLS_DIR. */
  readonly database?: { readonly url: string; readonly token?: string };
  /** Bearer token that HTTP clients must show. */
  readonly authToken?: string;
  /** Program that runs Deno tools: a path, or `deno` for the one on PATH or inside the compiled binary. */
  readonly denoPath: string;
  /** `SKILLZ_*` variables that are the tools', by name. */
  readonly secrets: Readonly<Record<string, string>>;
  /** The fixed safe list (PATH, LANG, TERM, TZ …) from the server's own environment. */
  readonly safeEnvironment: Readonly<Record<string, string>>;
  /** TLS and proxy variables, only for installers and imported servers. */
  readonly networkEnvironment: Readonly<Record<string, string>>;
  /** Which registries installers ask. */
  readonly installerEnvironment: Readonly<Record<string, string>>;
  /** What a single part of the server needs to find its programs: Docker's engine, Rust, git over ssh. */
  readonly hostEnvironment: Readonly<
    Record<"deno" | "docker" | "rust" | "git", Readonly<Record<string, string>>>
  >;
  /** `[policy]` of both skillz.toml, unchecked; `sandbox/policy_parse.ts` reads them. */
  readonly policy: PolicyTables | undefined;
  /** `[servers.NAME]` of skillz.toml. */
  readonly servers: Readonly<Record<string, ConfiguredServer>>;
  /** What was wrong with files that were read, one line each. */
  readonly problems: readonly string[];
  /** Least severity that goes to stderr. */
  readonly logLevel: LogLevel;
  /** How clients reach the server. */
  readonly serve: {
    readonly transport: "stdio" | "http";
    /** 0 picks a free one. */
    readonly port: number;
    readonly host: string;
  };
  /** `[http]` of skillz.toml in TOOLS_DIR. */
  readonly http: HttpSettings;
  /** Lets anyone in who reaches the port, without a token and from other machines. */
  readonly allowAnonymous: boolean;
}
