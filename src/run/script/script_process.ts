import { SkillzError } from "../../base/errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import { wait } from "../../base/wait.ts";
import type { ExitStatus, RunningProcess } from "../../process/process.ts";
import { readLines } from "../../process/rpc/lines.ts";
import { type MessageId, parseMessage, type ScriptMessage } from "./message.ts";
import { ReplyGate } from "./reply_gate.ts";

/** How a call of a script ended. */
export type ScriptOutcome =
  | { kind: "answer"; result: JsonValue }
  | { kind: "failure"; error: JsonObject }
  | { kind: "broken"; line: string; reason: string }
  /** It wrote more than it may. */
  | { kind: "overflow"; error: SkillzError }
  /** The process was taken away for a reason that has nothing to do with this call. */
  | { kind: "lost"; reason: string }
  /** It ended, or closed its output (then without a status), and gave no answer. */
  | { kind: "ended"; exit: ExitStatus | undefined; output: string; spoke: boolean; foreignIds: string[] };

/** Who hears what a script says during one call. */
export interface ScriptListener {
  /** Answers a request of the script; what it throws becomes a JSON-RPC error. */
  request(method: string, params: JsonObject, key: string): Promise<JsonValue>;
  /** Hears a notification. */
  notification(method: string, params: JsonObject): void;
  /** Hears a line on stdout that is no message. */
  noise(line: string): void;
  /** Hears a line on stderr. */
  stderr(line: string): void;
}

/** Options of {@linkcode ScriptProcess}. */
export interface ScriptProcessOptions {
  /** Most bytes of one line, and of all lines together that are no messages. */
  readonly outputBytes: number;
  /** Whether the script can't write any more although its output has not ended; see `SandboxedCommand`. */
  readonly outputClosed?: () => Promise<boolean>;
}

interface OpenCall {
  readonly id: number;
  readonly settled: Promise<ScriptOutcome>;
  readonly settle: (outcome: ScriptOutcome) => void;
  listener: ScriptListener | undefined;
}

/** How long the rest of the output is waited for after the end of the process, and the other way round. */
const DRAIN_MS = 500;
/** Pause between looks whether a silent script can still speak. */
const LOOK_MS = 500;
/** Room in a line for what surrounds a result. */
const ENVELOPE_BYTES = 64 * 1024;

/**
 * The JSON-RPC conversation with one script process: calls down, answers, requests and notes up. Serves any number of
 * calls, also several at once. The process belongs to whoever made it.
 */
export class ScriptProcess {
  /** Resolves when nothing will come any more. */
  readonly done: Promise<void>;
  readonly #process: RunningProcess;
  readonly #options: ScriptProcessOptions;
  readonly #calls = new Map<number, OpenCall>();
  readonly #foreignIds = new Set<string>();
  /** Ids of calls ascend: whatever is not above this one has been asked. */
  #lastId = 0;
  readonly #stopReading = new AbortController();
  readonly #gate: ReplyGate;
  /** Resolves when the script can't speak any more, but holds its life. */
  readonly #silenced = Promise.withResolvers<void>();
  #looking: Promise<void> | undefined;
  #noise: string[] = [];
  #noiseBytes = 0;
  #spoke = false;
  #final: ScriptOutcome | undefined;

  /** Starts to listen at once. */
  constructor(process: RunningProcess, options: ScriptProcessOptions) {
    this.#process = process;
    this.#options = options;
    this.#gate = new ReplyGate((line) => process.write(line));
    const reading = this.#read();
    this.done = this.#watch(reading);
  }

  /** Whether it has written anything, or ended, before it was asked: such a script must not be started ahead. */
  get touched(): boolean {
    return this.#spoke || this.#noiseBytes > 0 || this.over;
  }

  /** Whether it has sent any JSON-RPC message. */
  get spoke(): boolean {
    return this.#spoke;
  }

  /** Whether nothing will come any more. */
  get over(): boolean {
    return this.#final !== undefined;
  }

  /** Sends `execute` and resolves with how it ended. Never rejects. */
  execute(id: number, params: JsonObject, listener: ScriptListener): Promise<ScriptOutcome> {
    if (this.#final) return Promise.resolve(this.#final);
    const { promise, resolve } = Promise.withResolvers<ScriptOutcome>();
    // What it answered out of turn before says nothing about this call.
    if (this.#calls.size === 0) this.#foreignIds.clear();
    this.#lastId = Math.max(this.#lastId, id);
    this.#calls.set(id, { id, listener, settled: promise, settle: resolve });
    this.#send({ jsonrpc: "2.0", method: "execute", params, id });
    this.#looking ??= this.#look();
    return promise;
  }

  /**
   * Tells the script that a call is not wanted any more; nothing of it is heard from now on. Resolves when the script
   * has answered it all the same, or has ended.
   */
  async cancel(id: number, reason: string): Promise<void> {
    const call = this.#calls.get(id);
    if (!call) return;
    if (call.listener) this.#send({ jsonrpc: "2.0", method: "cancel", params: { id, reason } });
    call.listener = undefined;
    await call.settled;
  }

  /** Ends all calls under way, because the process is about to be ended. */
  lose(reason: string): void {
    this.#finish({ kind: "lost", reason });
  }

  /** Takes a line of its stderr. */
  stderr(line: string): void {
    this.#only()?.listener?.stderr(line);
  }

  #send(message: object): Promise<void> {
    return this.#process.write(JSON.stringify(message) + "\n");
  }

  async #read(): Promise<void> {
    try {
      const lines = readLines(this.#process.stdout, {
        maxLineBytes: this.#options.outputBytes + ENVELOPE_BYTES,
        signal: this.#stopReading.signal,
      });
      for await (const line of lines) {
        this.#take(line);
        await this.#gate.room(this.#stopReading.signal);
        if (this.#final) return;
      }
    } catch (error) {
      this.#finish({ kind: "overflow", error: this.#overflow("a line", error) });
    }
  }

  async #watch(reading: Promise<void>): Promise<void> {
    const exit = this.#process.status;
    await Promise.race([reading, exit, this.#silenced.promise]);
    await wait(DRAIN_MS, { until: Promise.all([reading, exit]) });
    // Someone else may hold the pipe (a grandchild): its words are not the script's.
    this.#endReading();
    await Promise.all([reading, this.#looking]);
    if (this.#final) return;
    const ended = await Promise.race([exit, Promise.resolve(undefined)]);
    const output = this.#noise.join("\n");
    this.#finish({
      kind: "ended",
      exit: ended,
      output,
      spoke: this.#spoke,
      foreignIds: [...this.#foreignIds],
    });
  }

  /** While calls are under way: a script that has closed its output is not waited for, whoever else holds it. */
  async #look(): Promise<void> {
    const { outputClosed } = this.#options;
    if (outputClosed === undefined) return;
    // Twice in a row: one look may miss a process that is just being made.
    for (let closed = 0; this.#calls.size > 0 && closed < 2;) {
      const stopped = await wait(LOOK_MS, { signal: this.#stopReading.signal }).then(() => false, () => true);
      if (stopped) return;
      closed = await outputClosed() ? closed + 1 : 0;
      if (closed === 2) this.#silenced.resolve();
    }
    this.#looking = undefined;
  }

  #take(line: string): void {
    const message = parseMessage(line);
    if (message.kind === "noise") return this.#hearNoise(line);
    if (!this.#spoke) this.#beginToSpeak();
    switch (message.kind) {
      case "broken":
        return this.#finish({ kind: "broken", line, reason: message.reason });
      case "notification":
        return this.#callOf(message.params)?.listener?.notification(message.method, message.params);
      case "request":
        return this.#serve(message);
      case "answer":
        return this.#answer(message.id, { kind: "answer", result: message.result });
      case "failure":
        return this.#answer(message.id, { kind: "failure", error: message.error });
    }
  }

  /** From the first message on it is a script that talks: what it printed so far was noise, not its result. */
  #beginToSpeak(): void {
    this.#spoke = true;
    const call = this.#callOf({});
    for (const line of this.#noise) call?.listener?.noise(line);
    this.#noise = [];
  }

  #hearNoise(line: string): void {
    this.#noiseBytes += line.length + 1;
    // The last line need not have ended.
    if (this.#noiseBytes > this.#options.outputBytes + 1) {
      return this.#finish({ kind: "overflow", error: this.#overflow("its output") });
    }
    if (this.#spoke) this.#callOf({})?.listener?.noise(line);
    else this.#noise.push(line);
  }

  #answer(id: MessageId, outcome: ScriptOutcome): void {
    // Without an id only an error can be meant for the one call there is.
    const known = id === null && outcome.kind === "failure" ? this.#only()?.id : id;
    const call = typeof known === "number" ? this.#calls.get(known) : undefined;
    if (!call) return this.#hearForeignAnswer(id);
    this.#calls.delete(call.id);
    call.settle(outcome);
  }

  #hearForeignAnswer(id: MessageId): void {
    // A second answer to an earlier call may arrive when the next one has begun, and explains nothing there.
    const late = typeof id === "number" && Number.isInteger(id) && id > 0 && id <= this.#lastId;
    if (!late && this.#foreignIds.size < 10) this.#foreignIds.add(JSON.stringify(id).slice(0, 100));
  }

  #serve(request: Extract<ScriptMessage, { kind: "request" }>): void {
    const { id, method, params } = request;
    const call = this.#callOf(params);
    const { listener } = call ?? {};
    if (!listener) return this.#gate.refuse(id, this.#noCall(method, call));
    this.#gate.serve(request, () => listener.request(method, params, keyOf(id)));
  }

  /** The call that a message belongs to: the one it names in `_meta`, else the only one there is. */
  #callOf(params: JsonObject): OpenCall | undefined {
    const meta = isJsonObject(params._meta) ? params._meta["skillz/call"] : undefined;
    return typeof meta === "number" ? this.#calls.get(meta) : this.#only();
  }

  #only(): OpenCall | undefined {
    if (this.#calls.size !== 1) return undefined;
    const [call] = this.#calls.values();
    return call;
  }

  #noCall(method: string, call: OpenCall | undefined): SkillzError {
    if (call || this.#calls.size === 0) {
      return new SkillzError("cancelled", `Cannot serve "${method}": no call that wants it is under way`);
    }
    return new SkillzError(
      "invalid_input",
      `Cannot serve "${method}": ${this.#calls.size} calls are under way, params._meta["skillz/call"] must name one by id`,
    );
  }

  #overflow(what: string, cause?: unknown): SkillzError {
    return new SkillzError(
      "limit",
      `${what} is longer than its limit, limits.output_bytes is ${this.#options.outputBytes}`,
      {
        ...(cause === undefined ? {} : { cause }),
        hint: "Write large data to a file, or raise limits.output_bytes",
      },
    );
  }

  #endReading(): void {
    this.#stopReading.abort();
    this.#gate.wake();
  }

  #finish(outcome: ScriptOutcome): void {
    this.#final ??= outcome;
    this.#endReading();
    for (const call of this.#calls.values()) call.settle(this.#final);
    this.#calls.clear();
  }
}

/** A request's id as text; numbers keep their digits. */
function keyOf(id: MessageId): string {
  return typeof id === "string" ? id : JSON.stringify(id);
}
