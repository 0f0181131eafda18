import { SkillzError } from "../../base/errors.ts";
import type { JsonValue } from "../../base/json.ts";
import type { MessageId } from "./message.ts";
import { toRpcError } from "./rpc_error.ts";

/** Most requests of a script that may be open at once. */
const MAX_OPEN = 1000;
/** Most requests at once that wait for nobody, neither for tools nor for the client. */
const MAX_QUICK = 32;
/** Most bytes of answers that a script may leave unread and still be heard. */
const MAX_UNREAD_BYTES = 4 * 1024 * 1024;

const QUICK_METHODS = /^(?:memory|resources)\//;

/**
 * Answers the requests of one script. What it has asked for waits in the server's memory until it reads: so a script
 * that asks and asks and does not read is not heard for a while.
 */
export class ReplyGate {
  readonly #write: (line: string) => Promise<void>;
  #open = 0;
  #quick = 0;
  #unreadBytes = 0;
  #goOn = () => {};

  /** Answers go to `write`, which resolves when the script has taken them. */
  constructor(write: (line: string) => Promise<void>) {
    this.#write = write;
  }

  /** Does what a request wants, and answers it. */
  serve(request: { id: MessageId; method: string }, work: () => Promise<JsonValue>): void {
    const { id, method } = request;
    if (this.#open >= MAX_OPEN) return this.refuse(id, tooMany(method));
    const quick = QUICK_METHODS.test(method) ? 1 : 0;
    this.#open += 1;
    this.#quick += quick;
    work()
      .then((result) => ({ result }), (error) => ({ error: toRpcError(error) }))
      .then((answer) => {
        this.#open -= 1;
        this.#quick -= quick;
        this.#reply(id, answer);
      });
  }

  /** Answers with an error. */
  refuse(id: MessageId, error: SkillzError): void {
    this.#reply(id, { error: toRpcError(error) });
  }

  /** Resolves when the script may ask for more, or `signal` aborts; {@linkcode wake} must be called then. */
  async room(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (this.#unreadBytes > MAX_UNREAD_BYTES || this.#quick >= MAX_QUICK)) {
      await new Promise<void>((resolve) => this.#goOn = resolve);
    }
  }

  /** Has who waits for room look again. */
  wake(): void {
    this.#goOn();
  }

  #reply(id: MessageId, answer: object): void {
    const line = JSON.stringify({ jsonrpc: "2.0", id, ...answer }) + "\n";
    this.#unreadBytes += line.length;
    this.wake();
    this.#write(line).finally(() => {
      this.#unreadBytes -= line.length;
      this.wake();
    });
  }
}

function tooMany(method: string): SkillzError {
  return new SkillzError(
    "limit",
    `Cannot serve "${method}": ${MAX_OPEN} requests are open, at most that many may be`,
  );
}
