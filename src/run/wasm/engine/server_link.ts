import { ERRNO, WasiError } from "../errno.ts";
import type { FileReply, FileWork, FromEngine, ToEngine } from "../engine_messages.ts";
import { encodeFrame, type Frame, FrameReader } from "../frames.ts";

/**
 * The engine's line to the server over its standard streams. Everything here waits synchronously on purpose: a module
 * runs synchronously, it is alone in its process, and nobody else is held up.
 */
export class ServerLink {
  readonly #reader = new FrameReader<ToEngine>();
  readonly #buffer = new Uint8Array(256 * 1024);
  #ready: Frame<ToEngine>[] = [];

  /** The next message; undefined when the server has gone. */
  receive(): Frame<ToEngine> | undefined {
    while (this.#ready.length === 0) {
      const length = Deno.stdin.readSync(this.#buffer);
      if (length === null) return undefined;
      this.#ready = this.#reader.push(this.#buffer.slice(0, length));
    }
    return this.#ready.shift();
  }

  /** Sends a message. */
  send(message: FromEngine, payload?: Uint8Array): void {
    const bytes = encodeFrame(message, payload);
    for (let done = 0; done < bytes.length;) {
      done += Deno.stdout.writeSync(bytes.subarray(done));
    }
  }

  /** Has the server do file work, and waits for it. Throws {@linkcode WasiError} when it can't be done. */
  work(work: FileWork, payload?: Uint8Array): { reply: FileReply; bytes: Uint8Array } {
    this.send({ type: "file", ...work }, payload);
    const frame = this.receive();
    if (frame?.message.type !== "reply") throw new WasiError(ERRNO.io);
    if (frame.message.errno !== ERRNO.success) throw new WasiError(frame.message.errno);
    return { reply: frame.message, bytes: frame.payload };
  }
}
