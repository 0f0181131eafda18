import { join } from "node:path";
import { environmentOfChildren } from "./environment.ts";
import { findInterpreter, hasProgram } from "./interpreters.ts";
import { timed } from "./measure.ts";
import type { BenchScript } from "./scripts.ts";

/** What is put around an interpreter as the least that confines it. */
const BWRAP = [
  "bwrap",
  "--ro-bind",
  "/",
  "/",
  "--dev",
  "/dev",
  "--proc",
  "/proc",
  "--tmpfs",
  "/tmp",
  "--unshare-all",
  "--die-with-parent",
  "--clearenv",
];

const encoder = new TextEncoder();

/** The same script with nothing of ours around it. */
export interface Floor {
  /** Its name in the table. */
  readonly name: string;
  /** Spawns the interpreter, writes the request, and waits for its end. */
  fresh(args: Record<string, unknown>): Promise<number>;
  /** Only writes the request to a process that has long been started, and waits for the line of the answer. */
  waiting(args: Record<string, unknown>): Promise<number>;
  /** One process for many requests. */
  persistent():
    & { readonly pid: number; call(args: Record<string, unknown>): Promise<number> }
    & AsyncDisposable;
}

/** How the floor is spawned. */
export interface FloorOptions {
  readonly folder: string;
  /** Inside bubblewrap where there is one. */
  readonly confined?: boolean;
}

/** Prepares a script's floor. */
export async function floorOf(script: BenchScript, { folder, confined }: FloorOptions): Promise<Floor> {
  const file = join(await Deno.makeTempDir({ dir: folder }), `script.${script.extension}`);
  await Deno.writeTextFile(file, script.code);
  const inside = confined === true && await hasProgram("bwrap");
  const program = await findInterpreter(script.interpreter);
  // The run's folder lies in /tmp, which is another one inside.
  const command = inside ? [...BWRAP, "--ro-bind", folder, folder, ...program, file] : [...program, file];
  const start = () => new Process(command);
  return {
    name: `${inside ? "bwrap + " : ""}${script.interpreter}`,
    fresh: (args) =>
      timed(async () => {
        await using process = start();
        await process.call(args);
        await process.end();
      }),
    async waiting(args) {
      await using process = start();
      await process.settled();
      return await timed(() => process.call(args));
    },
    persistent() {
      const process = start();
      return {
        pid: process.pid,
        call: (args) => timed(() => process.call(args)),
        [Symbol.asyncDispose]: () => process[Symbol.asyncDispose](),
      };
    },
  };
}

/** Time after which an interpreter has certainly come to wait for its input. */
const SETTLE_MS = 400;

class Process implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;

  constructor(command: readonly string[]) {
    const [program = "", ...args] = command;
    this.#child = new Deno.Command(program, {
      args,
      env: environmentOfChildren(),
      clearEnv: true,
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    this.#writer = this.#child.stdin.getWriter();
    this.#reader = this.#child.stdout.getReader();
  }

  get pid(): number {
    return this.#child.pid;
  }

  async settled(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  }

  async call(args: Record<string, unknown>): Promise<void> {
    const request = { jsonrpc: "2.0", id: 1, method: "execute", params: { arguments: args, context: {} } };
    // Both at once: an answer as long as its question fills the pipe before the question is through.
    await Promise.all([this.#writer.write(encoder.encode(`${JSON.stringify(request)}\n`)), this.#line()]);
  }

  async end(): Promise<void> {
    while (!(await this.#reader.read()).done);
    await this.#child.status;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#writer.close().catch(() => {});
    await this.#reader.cancel();
    await this.#child.status;
  }

  async #line(): Promise<void> {
    const parts: Uint8Array[] = [];
    for (let read = await this.#reader.read(); !read.done; read = await this.#reader.read()) {
      parts.push(read.value);
      if (read.value.at(-1) !== 10) continue;
      const answer = JSON.parse(new TextDecoder().decode(await new Blob(parts as BlobPart[]).arrayBuffer()));
      if (!("result" in answer)) break;
      return;
    }
    throw new Error("Cannot measure the floor: the script gave no answer");
  }
}
