import assert from "node:assert/strict";
import { encodeFrame, FrameReader } from "../../../src/run/wasm/frames.ts";

Deno.test("FrameReader puts frames together from pieces of any size", () => {
  const frames = [
    { message: { a: "é" }, payload: new Uint8Array() },
    { message: { b: 1 }, payload: crypto.getRandomValues(new Uint8Array(1000)) },
    { message: {}, payload: new Uint8Array([1]) },
  ];
  const bytes = frames.flatMap(({ message, payload }) => [...encodeFrame(message, payload)]);
  for (const size of [1, 7, 8, 9, 500, bytes.length]) {
    const reader = new FrameReader<object>();
    const read = [];
    for (let at = 0; at < bytes.length; at += size) {
      read.push(...reader.push(Uint8Array.from(bytes.slice(at, at + size))));
    }
    assert.deepEqual(read, frames, `pieces of ${size}`);
  }
});
