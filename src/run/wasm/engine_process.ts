import { tmpdir } from "node:os";
import { raceAbort } from "../../base/abort.ts";
import type { RunningProcess } from "../../process/process.ts";
import { spawnProcess, type StrayCollector } from "../../process/spawn.ts";
import type { EngineCommand } from "./engine_command.ts";
import type { EndMessage, FileReply, FileWork, FromEngine, RunMessage } from "./engine_messages.ts";
import { encodeFrame, FrameReader } from "./frames.ts";
import type { PreparedModule } from "./module_store.ts";

/** One run of a module. */
export interface EngineRun {
  /** What is run, in a fresh instance. */
  readonly module: PreparedModule;
  /** Arguments, environment and bounds. */
  readonly message: Omit<RunMessage, "type" | "module">;
  /** What the module reads. */
  readonly stdin: Uint8Array;
  /** Does work on files. */
  files(work: FileWork, payload: Uint8Array): Promise<{ reply: FileReply; bytes?: Uint8Array }>;
  /** Hears standard error as it comes. */
  stderr(bytes: Uint8Array): void;
}

/** How a run ended: as the engine says, or with the engine itself. */
export type EngineEnd =
  | { readonly kind: "end"; readonly end: EndMessage; readonly stdout: Uint8Array }
  | { readonly kind: "died"; readonly stderr: string };

/** Most modules that one engine keeps compiled. */
const KEPT_MODULES = 24;

/** A process that runs modules, one at a time. */
export class EngineProcess implements AsyncDisposable {
  readonly #process: RunningProcess;
  readonly #sent = new Set<string>();
  #run: EngineRun | undefined;
  #ended: ((end: EngineEnd) => void) | undefined;
  #gone = false;

  /** Starts it. Throws `SkillzError("unavailable")` when its program is missing. */
  constructor(command: EngineCommand, options: { strays?: StrayCollector } = {}) {
    this.#process = spawnProcess({ ...command, cwd: tmpdir() }, options);
    void this.#listen();
  }

  /** Whether its process has ended. */
  get isGone(): boolean {
    return this.#gone;
  }

  /** Its process id. */
  get pid(): number {
    return this.#process.pid;
  }

  /** Runs a module to its end. When `signal` aborts, this rejects with its reason and the engine has to be disposed. */
  async run(run: EngineRun, signal: AbortSignal): Promise<EngineEnd> {
    const { promise, resolve } = Promise.withResolvers<EngineEnd>();
    this.#run = run;
    this.#ended = resolve;
    if (this.#gone) this.#die();
    else void this.#send(run);
    try {
      return await raceAbort(promise, signal);
    } finally {
      this.#run = this.#ended = undefined;
    }
  }

  /** Ends the process at once, whatever it does. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process.stop({ graceMs: 0 });
    await this.#process[Symbol.asyncDispose]();
  }

  async #send({ module, message, stdin }: EngineRun): Promise<void> {
    const { hash, bytes } = module;
    if (!this.#sent.delete(hash)) {
      await this.#process.write(encodeFrame({ type: "module", hash }, bytes));
      const [oldest] = this.#sent;
      if (oldest !== undefined && this.#sent.size >= KEPT_MODULES) {
        this.#sent.delete(oldest);
        await this.#process.write(encodeFrame({ type: "drop", hash: oldest }));
      }
    }
    this.#sent.add(hash);
    await this.#process.write(encodeFrame({ type: "run", module: hash, ...message }, stdin));
  }

  async #listen(): Promise<void> {
    const reader = new FrameReader<FromEngine>();
    try {
      for await (const chunk of this.#process.stdout) {
        for (const { message, payload } of reader.push(chunk)) await this.#hear(message, payload);
      }
    } catch {
      // cut off: as good as ended
    }
    this.#gone = true;
    await this.#process.status;
    this.#die();
  }

  async #hear(message: FromEngine, payload: Uint8Array): Promise<void> {
    switch (message.type) {
      case "end":
        return this.#ended?.({ kind: "end", end: message, stdout: payload });
      case "stderr":
        return this.#run?.stderr(payload);
      case "file": {
        const answer = await this.#run?.files(message, payload);
        if (answer) await this.#process.write(encodeFrame(answer.reply, answer.bytes));
      }
    }
  }

  #die(): void {
    this.#ended?.({ kind: "died", stderr: this.#process.stderrTail() });
  }
}
