import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { isJsonObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import { BATCH_VERSION } from "../../mcp/identity.ts";
import { initializeReply, readInitialize } from "../../mcp/initialize_reply.ts";
import { Batch } from "./batch.ts";
import { type Frame, type FrameId, malformed, parseFrame, readFrame } from "../frame.ts";
import type { InputLine } from "./line_reader.ts";
import type { OutputQueue } from "./output_queue.ts";

/** Requests that stay open as long as the client likes; nobody waits for their answer. */
const OPEN_ENDED = new Set(["subscriptions/listen"]);

/**
 * The stdio side of the connection. It works before the protocol library is loaded: it answers `initialize` at once
 * and keeps everything for the library, whose own answer to that request is then dropped. Lines that are no message
 * are answered here and never reach the library.
 */
export class FrontTransport implements Transport {
  /** Set by the library. */
  onclose?: () => void;
  /** Set by the library. */
  onerror?: (error: Error) => void;
  /** Set by the library. */
  onmessage?: (message: JSONRPCMessage) => void;

  readonly #output: OutputQueue;
  readonly #kept: JSONRPCMessage[] = [];
  readonly #inFlight = new Set<FrameId>();
  readonly #batches = new Map<FrameId, Batch>();
  readonly #idleWaiters: (() => void)[] = [];
  #early: FrameId | undefined;
  #version: string | undefined;
  #first = true;
  #started = false;
  #closed = false;

  /** Answers go to `output`. */
  constructor(output: OutputQueue) {
    this.#output = output;
  }

  /** Takes a line of input; resolves when what is answered at once has been written. */
  async receive(line: InputLine): Promise<void> {
    if (line.kind === "too_long") {
      const why = "the line is longer than this server allows, send less at once";
      return await this.#output.send(malformed(null, why).reply);
    }
    if (line.text.trim() === "") return;
    const frame = parseFrame(line.text);
    const first = this.#first;
    this.#first = false;
    if (first && frame.kind === "request" && frame.method === "initialize") await this.#answerEarly(frame);
    if (frame.kind === "batch") this.#takeBatch(frame.items);
    else if (frame.kind === "invalid") await this.#output.send(frame.reply);
    else this.#deliver(frame);
  }

  /** Called by the library once it listens: it gets what was kept for it. */
  start(): Promise<void> {
    this.#started = true;
    for (const message of this.#kept.splice(0)) this.onmessage?.(message);
    return Promise.resolve();
  }

  /** Called by the library. */
  async send(message: JSONRPCMessage): Promise<void> {
    if ("method" in message || message.id === undefined) return await this.#output.send(message);
    const { id } = message;
    this.#settled(id);
    if (id === this.#early) {
      this.#early = undefined;
      return;
    }
    const batch = this.#batches.get(id);
    if (!batch) return await this.#output.send(message);
    this.#batches.delete(id);
    batch.settle(id, message);
  }

  /** Called by the library; harmless when repeated. */
  close(): Promise<void> {
    if (!this.#closed) {
      this.#closed = true;
      this.#inFlight.clear();
      this.#wakeIfIdle();
      this.onclose?.();
    }
    return Promise.resolve();
  }

  /** Called by the library when it has agreed on a version. */
  setProtocolVersion(version: string): void {
    this.#version = version;
  }

  /** Resolves when every request that came in has been answered. */
  idle(): Promise<void> {
    if (this.#inFlight.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idleWaiters.push(resolve));
  }

  async #answerEarly(frame: Frame & { kind: "request" }): Promise<void> {
    const request = readInitialize(paramsOf(frame.message));
    if (!request) return;
    const result = initializeReply(request);
    this.#early = frame.id;
    this.#version = String(result.protocolVersion);
    await this.#output.send({ jsonrpc: "2.0", id: frame.id, result });
  }

  #takeBatch(items: readonly JsonValue[]): void {
    if (this.#version !== BATCH_VERSION || items.length === 0) {
      const why = items.length === 0
        ? "the array is empty, it must hold messages"
        : `arrays of messages exist in version ${BATCH_VERSION} only, send one message a line`;
      this.#output.send(malformed(null, why).reply);
      return;
    }
    const frames = items.map(readBatchItem);
    const errors = frames.flatMap((frame) => frame.kind === "invalid" ? [frame.reply] : []);
    const ids = frames.flatMap((frame) => frame.kind === "request" ? [frame.id] : []);
    const batch = new Batch(ids, errors, (answers) => this.#output.send(answers));
    for (const id of ids) this.#batches.set(id, batch);
    for (const frame of frames) if (frame.kind !== "invalid") this.#deliver(frame);
  }

  #deliver(frame: Frame): void {
    if (frame.kind === "batch" || frame.kind === "invalid") return;
    if (frame.kind === "request" && !OPEN_ENDED.has(frame.method)) this.#inFlight.add(frame.id);
    if (frame.kind === "notification" && frame.method === "notifications/cancelled") this.#cancelled(frame);
    // Its shape was checked by `readFrame`.
    const message = frame.message as unknown as JSONRPCMessage;
    if (this.#started) this.onmessage?.(message);
    else this.#kept.push(message);
  }

  // A cancelled request is never answered, so nothing may wait for it.
  #cancelled(frame: Frame & { kind: "notification" }): void {
    const id = paramsOf(frame.message)?.requestId;
    if (typeof id !== "string" && typeof id !== "number") return;
    this.#settled(id);
    this.#batches.get(id)?.settle(id);
    this.#batches.delete(id);
  }

  #settled(id: FrameId): void {
    this.#inFlight.delete(id);
    this.#wakeIfIdle();
  }

  #wakeIfIdle(): void {
    if (this.#inFlight.size === 0) { for (const wake of this.#idleWaiters.splice(0)) wake(); }
  }
}

function readBatchItem(item: JsonValue): Exclude<Frame, { kind: "batch" }> {
  const frame = readFrame(item);
  if (frame.kind === "batch") {
    return malformed(null, "arrays of messages hold no arrays");
  }
  if (frame.kind === "request" && frame.method === "initialize") {
    return malformed(frame.id, "initialize must be sent alone, not in an array");
  }
  return frame;
}

function paramsOf(message: JsonObject): JsonObject | undefined {
  return isJsonObject(message.params) ? message.params : undefined;
}
