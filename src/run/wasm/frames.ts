/** A message with bytes beside it, as it travels between server and engine. */
export interface Frame<Message> {
  /** What is said. */
  readonly message: Message;
  /** Bytes that go along with it; often none. */
  readonly payload: Uint8Array<ArrayBuffer>;
}

const EMPTY = new Uint8Array(0);
const HEAD = 8;

/** A frame as bytes: length of the JSON, length of the payload (both 32 bits, little endian), JSON, payload. */
export function encodeFrame(message: object, payload: Uint8Array = EMPTY): Uint8Array<ArrayBuffer> {
  const json = new TextEncoder().encode(JSON.stringify(message));
  const bytes = new Uint8Array(HEAD + json.length + payload.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, json.length, true);
  view.setUint32(4, payload.length, true);
  bytes.set(json, HEAD);
  bytes.set(payload, HEAD + json.length);
  return bytes;
}

/** Puts frames together from whatever pieces arrive, each byte copied once. */
export class FrameReader<Message> {
  #chunks: Uint8Array[] = [];
  #size = 0;
  #lengths: { json: number; payload: number } | undefined;

  /** Takes a piece and returns the frames that are whole with it. */
  push(chunk: Uint8Array): Frame<Message>[] {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    const frames: Frame<Message>[] = [];
    for (let frame = this.#next(); frame !== undefined; frame = this.#next()) frames.push(frame);
    return frames;
  }

  #next(): Frame<Message> | undefined {
    if (this.#lengths === undefined) {
      if (this.#size < HEAD) return undefined;
      const view = new DataView(this.#take(HEAD).buffer);
      this.#lengths = { json: view.getUint32(0, true), payload: view.getUint32(4, true) };
    }
    const { json, payload } = this.#lengths;
    if (this.#size < json + payload) return undefined;
    this.#lengths = undefined;
    const message = JSON.parse(new TextDecoder().decode(this.#take(json))) as Message;
    return { message, payload: this.#take(payload) };
  }

  #take(length: number): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(length);
    let done = 0;
    let used = 0;
    for (const chunk of this.#chunks) {
      const part = chunk.subarray(0, length - done);
      bytes.set(part, done);
      done += part.length;
      if (part.length < chunk.length) {
        this.#chunks[used] = chunk.subarray(part.length);
        break;
      }
      used += 1;
    }
    this.#chunks.splice(0, used);
    this.#size -= length;
    return bytes;
  }
}
