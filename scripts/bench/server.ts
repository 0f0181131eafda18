import { join } from "node:path";
import { Client } from "./client.ts";
import { environmentOfChildren } from "./environment.ts";
import type { BenchOptions } from "./group.ts";

/** A tool's answer. */
export interface Answer {
  readonly ms: number;
  readonly text: string;
  readonly structured: unknown;
}

/** Options of {@linkcode startServer}. */
export interface StartOptions {
  /** TOOLS_DIR; a fresh one if absent. */
  readonly toolsDir?: string;
  /** Arguments of the server. */
  readonly args?: readonly string[];
  /** Another command line than the usual one. */
  readonly command?: readonly string[];
  /** More variables of the server. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A server as a child, and the client of it. */
export class Server implements AsyncDisposable {
  readonly client: Client;
  readonly toolsDir: string;
  /** From the spawn to the reply to `initialize`, in milliseconds. */
  readonly startMs: number;

  /** Use {@linkcode startServer}. */
  constructor(client: Client, facts: { toolsDir: string; startMs: number }) {
    this.client = client;
    this.toolsDir = facts.toolsDir;
    this.startMs = facts.startMs;
  }

  /** Calls a tool by its own name; throws when that fails, whatever the way. */
  async call(name: string, args: Record<string, unknown> = {}): Promise<Answer> {
    const { message, ms } = await this.client.request("tools/call", { name, arguments: args });
    const result = message.result as
      | { content?: { text?: string }[]; structuredContent?: unknown; isError?: boolean }
      | undefined;
    const text = result?.content?.map((block) => block.text ?? "").join("\n") ?? "";
    if (!result || result.isError) {
      throw new Error(`Cannot call ${name}: ${result ? text : JSON.stringify(message.error)}`);
    }
    return { ms, text, structured: result.structuredContent };
  }

  /** Registers a script. */
  async register(name: string, script: object): Promise<void> {
    await this.call("register_script", { name, description: name, overwrite: true, ...script });
  }

  /** Whether the server has such a built-in tool: one that it has refuses empty arguments in its own words. */
  async has(name: string): Promise<boolean> {
    const { message } = await this.client.request("tools/call", { name, arguments: {} });
    return !("error" in message);
  }

  /** Leaves, and waits for the end of the server. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.client[Symbol.asyncDispose]();
  }
}

/** Starts a server and shakes hands. */
export async function startServer(
  { command, folder }: BenchOptions,
  options: StartOptions = {},
): Promise<Server> {
  const place = await Deno.makeTempDir({ dir: folder });
  const toolsDir = options.toolsDir ?? join(place, "tools");
  const client = new Client({
    command: [...options.command ?? command, ...options.args ?? []],
    env: { ...environmentOfChildren(place), TOOLS_DIR: toolsDir, ...options.env },
    cwd: place,
  });
  return new Server(client, { toolsDir, startMs: await client.initialize() });
}
