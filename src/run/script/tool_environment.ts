import type { Tool } from "../../tools/tool.ts";

/** What the installed dependencies of a tool change about how its script is started. */
export interface ToolRuntime {
  /** Folder that holds them; the tool may read it. */
  readonly directory: string;
  /** Program to start instead of the interpreter, e.g. the Python of the venv. */
  readonly program?: string;
  /** Arguments before the script's path. */
  readonly args?: readonly string[];
  /** Variables to add. */
  readonly env?: Readonly<Record<string, string>>;
  /** Deno: the lock file that the dependencies were resolved to. */
  readonly lockFile?: string;
  /** Deno: the packages that were installed, as `npm:` and `jsr:` specifiers. */
  readonly packages?: readonly string[];
}

/** Knows the environments of tools with dependencies; declared here, implemented in `install/`. */
export interface ToolEnvironments {
  /** The environment of a tool; undefined when it has none. Throws `SkillzError` when it is broken and can't be mended. */
  runtime(tool: Tool, options: { signal: AbortSignal }): Promise<ToolRuntime | undefined>;
}
