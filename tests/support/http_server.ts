import { serverCommand, serverEnvironment, type ServerProgram } from "./server.ts";
import { tempDir } from "./temp_dir.ts";

/** A real server over HTTP as a child process. */
export interface HttpTestServer extends AsyncDisposable {
  /** Where it listens, without a path. */
  readonly url: string;
  readonly toolsDir: string;
}

/** Options of {@linkcode startHttpServer}. */
export interface StartHttpServerOptions {
  /** More arguments of the command line. */
  readonly args?: readonly string[];
  /** What is started instead of the server of this checkout. */
  readonly program?: ServerProgram;
  /** More variables of the environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts it on a free port, with a TOOLS_DIR of its own; resolves when it listens. */
export async function startHttpServer(options: StartHttpServerOptions = {}): Promise<HttpTestServer> {
  const toolsDir = await tempDir();
  const { command, args } = serverCommand(
    ["--transport", "http", "--port", "0", ...(options.args ?? [])],
    options.program,
  );
  const child = new Deno.Command(command, {
    args,
    cwd: toolsDir.path,
    env: serverEnvironment({ HOME: toolsDir.path, TOOLS_DIR: toolsDir.path, ...options.env }),
    clearEnv: true,
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const { promise: listening, resolve, reject } = Promise.withResolvers<string>();
  const reading = readLog(child.stderr, { onListening: resolve });
  const ended = Promise.all([child.status, reading]).then(([{ code }, log]) => {
    reject(new Error(`The server ended with ${code} before it listened: ${log}`));
  });
  const dispose = async () => {
    try {
      child.kill("SIGTERM");
    } catch {
      // It has ended.
    }
    await ended;
    await toolsDir[Symbol.asyncDispose]();
  };
  try {
    return { url: await listening, toolsDir: toolsDir.path, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

async function readLog(
  stderr: ReadableStream<Uint8Array>,
  { onListening }: { onListening: (url: string) => void },
): Promise<string> {
  let log = "";
  for await (const text of stderr.pipeThrough(new TextDecoderStream())) {
    log += text;
    const url = /Listening on (\S+)/.exec(log)?.[1];
    if (url) onListening(url);
  }
  return log;
}
