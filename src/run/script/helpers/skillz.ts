/**
 * Helper library for Deno tools: write a function, not the protocol.
 *
 * ```ts
 * import { memory, progress, tool } from "skillz";
 *
 * tool(async ({ city }: { city: string }) => {
 *   progress(1, 2, "asking");
 *   await memory.set("last", city);
 *   return { city };
 * });
 * ```
 *
 * `console.log` goes to stderr. The module is read to its end before the first call.
 */
import { createSkillz } from "./core.mjs";

/** Any JSON value. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** What a script is told with each call. */
export interface Context {
  /** Workspace roots, the client's own if it has any. */
  roots: string[];
  /** The folder that the script was started in. */
  working_directory: string;
  /** What the tool is registered as. */
  tool_name: string;
  /** Its folder. */
  tool_directory: string;
  /** Where all tools are. */
  tools_dir: string;
  /** Secrets and the safe list. */
  environment: Record<string, string>;
  /** Required services by name. */
  services: Record<string, { host: string; port: number; ports: Record<string, number> }>;
  /** What this caller can do. */
  capabilities: Record<string, boolean>;
  /** The call: id, depth, deadline, and what is asked for. */
  call: { id: string; depth: number; deadline: number | null; kind: string; name?: string; uri?: string };
}

/** The context that a tool's function gets: it also says when the call is not wanted any more. */
export type CallContext = Context & {
  /** Aborts when the call is cancelled. */
  signal: AbortSignal;
};

/** The answer of a user to a question. */
export interface Elicited {
  /** What the user did. */
  action: "accept" | "decline" | "cancel";
  /** The values, if accepted. */
  content?: Record<string, Json>;
}

interface Skillz {
  tool<Args>(work: (args: Args, context: CallContext) => unknown): typeof work;
  progress(current: number, total?: number, message?: string): void;
  log(message: unknown, level?: string, data?: unknown): void;
  stream(data: unknown, more?: { index?: number; is_final?: boolean }): void;
  memory: {
    get<T = Json>(key: string, fallback?: T): Promise<T | undefined>;
    set(key: string, value: unknown, ttl?: number | { ttl?: number }): Promise<void>;
    list(prefix?: string): Promise<string[]>;
    delete(key: string): Promise<boolean>;
  };
  resources: {
    list(): Promise<{ uri: string; name: string }[]>;
    read(uri: string): Promise<{ uri: string; text?: string; blob?: string; mimeType?: string }[]>;
  };
  // deno-lint-ignore no-explicit-any -- what another tool answers is known to the script, not here
  call<T = any>(name: string, args?: Record<string, unknown>): Promise<T>;
  elicit(
    message: string,
    schema?: Record<string, unknown>,
    more?: Record<string, unknown>,
  ): Promise<Elicited>;
  sample(
    messages: string | unknown[],
    options?: { maxTokens?: number; [key: string]: unknown },
  ): Promise<string>;
  roots(): Promise<{ uri: string; name?: string }[]>;
  context: Context;
  SkillzError: new (message: string, options?: { code?: number; data?: unknown }) => Error;
  ToolError: new (message: string, result: unknown) => Error;
}

// stdout belongs to the protocol.
// deno-lint-ignore no-console -- a script's console is the one of its author, this only leads it away from stdout
console.log = console.info = console.debug = console.error;

function read(onLine: (line: string) => void, onEnd: () => void): void {
  void (async () => {
    let rest = "";
    const decoder = new TextDecoder();
    const buffer = new Uint8Array(65536);
    for (let size = await Deno.stdin.read(buffer); size !== null; size = await Deno.stdin.read(buffer)) {
      const lines = (rest + decoder.decode(buffer.subarray(0, size), { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) onLine(line);
    }
    onEnd();
  })();
}

function write(text: string): void {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length;) at += Deno.stdout.writeSync(bytes.subarray(at));
}

async function storage() {
  return (await import("node:async_hooks")).AsyncLocalStorage;
}

const skillz: Skillz = createSkillz({
  read,
  write,
  storage,
  exit: (code: number) => Deno.exit(code),
}) as unknown as Skillz;

/** Makes the function the tool: it gets arguments and context, returns any JSON value, and may throw. */
export const tool: Skillz["tool"] = skillz.tool;
/** Tells how far the call has come. */
export const progress: Skillz["progress"] = skillz.progress;
/** Sends a message to the client's log. */
export const log: Skillz["log"] = skillz.log;
/** Hands on a piece of output before the result. */
export const stream: Skillz["stream"] = skillz.stream;
/** Values that outlive the call, of this tool alone. `ttl` in seconds. */
export const memory: Skillz["memory"] = skillz.memory;
/** Resources of the server. */
export const resources: Skillz["resources"] = skillz.resources;
/** Calls another tool: its data if it gives any, else its text. Throws ToolError when it fails. */
export const call: Skillz["call"] = skillz.call;
/** Asks the user; the schema may be just the properties. */
export const elicit: Skillz["elicit"] = skillz.elicit;
/** Asks the client's model; gives its text. */
export const sample: Skillz["sample"] = skillz.sample;
/** The workspace roots as URIs. */
export const roots: Skillz["roots"] = skillz.roots;
/** The context of the call under way. */
export const context: Context = skillz.context;
/** The server could not do what was asked. */
export const SkillzError: Skillz["SkillzError"] = skillz.SkillzError;
/** A called tool failed. */
export const ToolError: Skillz["ToolError"] = skillz.ToolError;
