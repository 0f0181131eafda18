import { Client } from "@modelcontextprotocol/client";
import { resultText, type ToolResult } from "../../src/base/tool_result.ts";
import { ChildTransport } from "./child_transport.ts";
import { tempDir } from "./temp_dir.ts";

/** Options of {@linkcode startServer}. */
export interface StartServerOptions {
  /** Protocol era of the client. @default "legacy" */
  era?: "legacy" | "modern";
  /** More arguments of the command line. */
  args?: readonly string[];
  /** What is started instead of the server of this checkout. */
  program?: ServerProgram;
  /** More variables of the environment. */
  env?: Readonly<Record<string, string>>;
  /** The server's current folder; a fresh one if absent. */
  cwd?: string;
  /** TOOLS_DIR; a fresh one if absent. */
  toolsDir?: string;
  /** What the client can do. */
  capabilities?: NonNullable<ConstructorParameters<typeof Client>[1]>["capabilities"];
  /** Called with the client before it connects, to set handlers. */
  prepare?(client: Client): void;
}

/** A real server as a child process, and a real client connected to it. */
export interface TestServer extends AsyncDisposable {
  readonly client: Client;
  readonly toolsDir: string;
  /** Process id of the server. */
  readonly pid: number;
  /** Everything that the server wrote to stderr. */
  stderr(): string;
  /** Lines of stdout that were no JSON-RPC. */
  noise(): readonly string[];
  /** Calls a tool by its own name; the raw result. */
  call(
    name: string,
    args?: Record<string, unknown>,
    options?: Parameters<Client["callTool"]>[1],
  ): Promise<ToolResult>;
  /** Calls a tool, throws if it fails, and returns its text. */
  text(name: string, args?: Record<string, unknown>): Promise<string>;
}

/** The start of a command line. */
export interface ServerProgram {
  readonly command: string;
  readonly args: readonly string[];
}

/** The command line that starts the server, that of this checkout unless another one is given. */
export function serverCommand(
  args: readonly string[] = [],
  program?: ServerProgram,
): { command: string; args: string[] } {
  if (program !== undefined) return { command: program.command, args: [...program.args, ...args] };
  const main = new URL("../../main.ts", import.meta.url);
  return { command: Deno.execPath(), args: ["run", "-A", "--frozen", main.pathname, ...args] };
}

/** Where programs are, and how packages are reached from here. */
const PASSED_ON =
  /^(PATH|LANG|TMPDIR|RUSTUP_HOME|CARGO_HOME|PYENV_ROOT|SSL_CERT_(FILE|DIR)|(REQUESTS|CURL)_CA_BUNDLE|NODE_EXTRA_CA_CERTS|PIP_CERT|DENO_TLS_CA_STORE|\w+_proxy)$/i;

/** Environment of a server of the tests: nothing of the user's but where programs and packages are. */
export function serverEnvironment(more: Readonly<Record<string, string>>): Record<string, string> {
  const home = Deno.env.get("HOME") ?? "/";
  const kept = Object.entries(Deno.env.toObject()).filter(([name]) => PASSED_ON.test(name));
  return {
    RUSTUP_HOME: `${home}/.rustup`,
    CARGO_HOME: `${home}/.cargo`,
    ...Object.fromEntries(kept),
    DENO_DIR: Deno.env.get("DENO_DIR") ?? `${Deno.env.get("XDG_CACHE_HOME") ?? `${home}/.cache`}/deno`,
    ...more,
  };
}

/** Time for one call: installing and compiling take long on a busy machine. */
const CALL_MS = 240_000;

/** Starts a server in a folder of its own and connects a client of the SDK. */
export async function startServer(options: StartServerOptions = {}): Promise<TestServer> {
  const dir = await tempDir();
  const toolsDir = options.toolsDir ?? `${dir.path}/tools`;
  // Two folders: one above the home folder is nobody's workspace.
  const [home, work] = [`${dir.path}/home`, `${dir.path}/work`];
  await Promise.all([Deno.mkdir(home), Deno.mkdir(work)]);
  const transport = new ChildTransport({
    ...serverCommand(options.args, options.program),
    cwd: options.cwd ?? work,
    env: serverEnvironment({ HOME: home, TOOLS_DIR: toolsDir, ...options.env }),
  });
  const client = new Client(
    { name: "test", version: "1.0.0" },
    {
      versionNegotiation: { mode: options.era === "modern" ? { pin: "2026-07-28" } : "legacy" },
      capabilities: options.capabilities ?? {},
    } as ConstructorParameters<typeof Client>[1],
  );
  options.prepare?.(client);
  try {
    await client.connect(transport);
  } catch (error) {
    await client.close();
    await dir[Symbol.asyncDispose]();
    throw new Error(`Cannot connect to the server: ${String(error)}\n${transport.stderr}`, { cause: error });
  }
  const call: TestServer["call"] = async (name, args = {}, callOptions = {}) =>
    await client.callTool({ name, arguments: args }, {
      timeout: CALL_MS,
      ...callOptions,
    }) as unknown as ToolResult;
  return {
    client,
    toolsDir,
    get pid() {
      return transport.pid;
    },
    stderr: () => transport.stderr,
    noise: () => transport.noise,
    call,
    async text(name, args) {
      const result = await call(name, args);
      if (result.isError) {
        throw new Error(`Cannot use the answer of ${name}: it failed: ${resultText(result)}`);
      }
      return resultText(result);
    },
    async [Symbol.asyncDispose]() {
      await client.close();
      await dir[Symbol.asyncDispose]();
    },
  };
}
