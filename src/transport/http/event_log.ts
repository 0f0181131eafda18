import type { EventStore, JSONRPCMessage } from "@modelcontextprotocol/server";

/** Options of {@linkcode EventLog}. */
export interface EventLogOptions {
  /**
   * Most events that are kept.
   * @default 1_000
   */
  readonly maxEvents?: number;
  /**
   * Most bytes that are kept, about.
   * @default 16_777_216
   */
  readonly maxBytes?: number;
}

interface LoggedEvent {
  readonly seq: number;
  readonly stream: string;
  readonly message: JSONRPCMessage;
  readonly bytes: number;
}

/** The last events of one session, so that a client whose stream broke can have those that it missed. */
export class EventLog implements EventStore {
  readonly #events: LoggedEvent[] = [];
  readonly #maxEvents: number;
  readonly #maxBytes: number;
  #seq = 0;
  #bytes = 0;

  /** Makes an empty log. */
  constructor(options: EventLogOptions = {}) {
    this.#maxEvents = options.maxEvents ?? 1_000;
    this.#maxBytes = options.maxBytes ?? 16 * 1024 * 1024;
  }

  /** How many events are kept. */
  get size(): number {
    return this.#events.length;
  }

  /** Keeps an event; returns its id, which names its stream and its place. */
  storeEvent(stream: string, message: JSONRPCMessage): Promise<string> {
    const bytes = JSON.stringify(message).length;
    const seq = ++this.#seq;
    this.#events.push({ seq, stream, message, bytes });
    this.#bytes += bytes;
    while (
      this.#events.length > this.#maxEvents || (this.#bytes > this.#maxBytes && this.#events.length > 1)
    ) {
      this.#bytes -= this.#events.shift()?.bytes ?? 0;
    }
    return Promise.resolve(`${stream}:${seq}`);
  }

  /** The stream of an event; `undefined` for an id that this log can't have given. */
  getStreamIdForEventId(id: string): Promise<string | undefined> {
    return Promise.resolve(this.#parse(id)?.stream);
  }

  /** Sends the events of the same stream that came after the one named. */
  async replayEventsAfter(
    id: string,
    { send }: { send: (id: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const last = this.#parse(id);
    if (!last) throw new Error("Unknown event id");
    for (const { seq, stream, message } of [...this.#events]) {
      // Events without a message only mark that a stream began.
      const empty = Object.keys(message).length === 0;
      if (stream === last.stream && seq > last.seq && !empty) await send(`${stream}:${seq}`, message);
    }
    return last.stream;
  }

  #parse(id: string): { stream: string; seq: number } | undefined {
    const at = id.lastIndexOf(":");
    const seq = Number(id.slice(at + 1));
    if (at < 1 || !Number.isSafeInteger(seq) || seq < 1 || seq > this.#seq) return undefined;
    return { stream: id.slice(0, at), seq };
  }
}
