import { anySignal, raceAbort, withTimeout } from "../base/abort.ts";
import { isJsonObject, type JsonObject } from "../base/json.ts";
import { wait } from "../base/wait.ts";
import type { Question } from "../run/call_context.ts";
import { ANSWER_MS, type Asker } from "./asker.ts";

/** Questions that come within this time go to the client together, in milliseconds. */
const SETTLE_MS = 10;

/** How far a call has come: it has a value, it waits for answers, or it runs. */
export type Step<T> =
  | { readonly kind: "done"; readonly value: T }
  | { readonly kind: "asks"; readonly questions: ReadonlyMap<string, Question> }
  | { readonly kind: "running" };

/** Options of {@linkcode ParkedCall}. */
export interface ParkedCallOptions {
  /** Answers that are known before they are asked for, by key. */
  readonly answers?: Readonly<Record<string, unknown>>;
}

interface Pending {
  readonly question: Question;
  readonly answer: (value: JsonObject) => void;
}

/**
 * A call that lives longer than the request that began it. The newer era has no requests to the client: a call that
 * asks is answered with its questions, and goes on when the client comes back with the answers. Whatever runs inside
 * (scripts, pipelines, tools called by tools) only sees `ask()` taking its time.
 */
export class ParkedCall<T> implements Asker {
  /** Names the call in the state that the client carries. */
  readonly id: string = crypto.randomUUID();
  readonly #pending = new Map<string, Pending>();
  readonly #given: Map<string, unknown>;
  readonly #abort = new AbortController();
  readonly #outcome: Promise<T>;
  #wake = Promise.withResolvers<void>();
  #count = 0;
  #round = 0;

  /** Starts `run` as soon as the present turn is over. */
  constructor(run: (call: ParkedCall<T>) => Promise<T>, options: ParkedCallOptions = {}) {
    this.#given = new Map(Object.entries(options.answers ?? {}));
    this.#outcome = Promise.resolve(this).then((call) => {
      call.signal.throwIfAborted();
      return run(call);
    });
    // Looked at by `next`; a call that nobody waits for may fail without harm.
    this.#outcome.catch(() => {});
  }

  /** Aborts when the call is. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** How often the call has waited for its client to come back. */
  get round(): number {
    return this.#round;
  }

  /** Questions that wait for an answer. */
  get questions(): ReadonlyMap<string, Question> {
    return new Map([...this.#pending].map(([key, { question }]) => [key, question]));
  }

  /** Ends the call and everything that runs in it. */
  abort(reason: unknown): void {
    this.#abort.abort(reason);
  }

  /** Asks when the client's request is answered next. */
  ask(question: Question, signal: AbortSignal): Promise<JsonObject> {
    const key = this.#freeKey(question.key);
    const given = this.#given.get(key);
    this.#given.delete(key);
    if (isAnswer(question, given)) return Promise.resolve(given);
    const { promise, resolve } = Promise.withResolvers<JsonObject>();
    this.#pending.set(key, { question, answer: resolve });
    this.#wake.resolve();
    return this.#awaitAnswer(promise, { key, question, signal });
  }

  /** Gives answers by key. What is no answer to its question is passed over, so the question is put again. */
  answer(responses: Readonly<Record<string, unknown>>): void {
    for (const [key, pending] of [...this.#pending]) {
      const value = Object.hasOwn(responses, key) ? responses[key] : undefined;
      if (!isAnswer(pending.question, value)) continue;
      this.#pending.delete(key);
      pending.answer(value);
    }
  }

  /** What the call comes to. */
  get outcome(): Promise<T> {
    return this.#outcome;
  }

  /**
   * Waits at most so long, and not past `until`, until the call has a value or asks; the call goes on. Throws what the
   * call threw.
   */
  async glance(ms: number, until: Promise<void>): Promise<Step<T>> {
    const over = new AbortController();
    const late = wait(ms, { signal: over.signal, until }).then(() => ({ kind: "running" }) as const);
    late.catch(() => {});
    try {
      return await Promise.race([this.#step(over.signal), late]);
    } finally {
      over.abort();
    }
  }

  /** Waits until the call has a value or asks. Throws what the call threw; `signal` ends the call. */
  async next(signal: AbortSignal): Promise<Exclude<Step<T>, { kind: "running" }>> {
    const cancel = () => this.abort(signal.reason);
    if (signal.aborted) cancel();
    signal.addEventListener("abort", cancel, { once: true });
    const over = new AbortController();
    try {
      return await this.#step(over.signal);
    } finally {
      signal.removeEventListener("abort", cancel);
      over.abort();
    }
  }

  async #step(over: AbortSignal): Promise<Exclude<Step<T>, { kind: "running" }>> {
    const done = this.#outcome.then((value) => ({ kind: "done", value }) as const);
    for (;;) {
      const step = await Promise.race([done, this.#asks(over)]);
      if (step.kind === "done") return step;
      // Whoever waited may be gone, and then this round is not theirs.
      over.throwIfAborted();
      if (step.questions.size === 0) continue;
      this.#round++;
      return step;
    }
  }

  async #awaitAnswer(
    answer: Promise<JsonObject>,
    { key, question, signal }: { key: string; question: Question; signal: AbortSignal },
  ): Promise<JsonObject> {
    const what = `get an answer from the client (${question.method})`;
    using either = anySignal(signal, this.signal);
    using limit = withTimeout(either.signal, { ms: ANSWER_MS, what });
    try {
      return await raceAbort(answer, limit.signal);
    } finally {
      this.#pending.delete(key);
    }
  }

  async #asks(over: AbortSignal): Promise<Step<T> & { kind: "asks" }> {
    if (this.#pending.size === 0) {
      this.#wake = Promise.withResolvers<void>();
      await this.#wake.promise;
    }
    await wait(SETTLE_MS, { signal: over }).catch(() => {});
    return { kind: "asks", questions: this.questions };
  }

  // Two tools of one call may have chosen the same key.
  #freeKey(wanted: string | undefined): string {
    const base = wanted ?? `q${++this.#count}`;
    let key = base;
    for (let n = 2; this.#pending.has(key); n++) key = `${base}-${n}`;
    return key;
  }
}

function isAnswer({ method }: Question, value: unknown): value is JsonObject {
  if (!isJsonObject(value)) return false;
  switch (method) {
    case "elicitation/create":
      return value.action === "accept" || value.action === "decline" || value.action === "cancel";
    case "sampling/createMessage":
      return typeof value.role === "string" && value.content !== undefined;
    case "roots/list":
      return Array.isArray(value.roots);
  }
}
