import assert from "node:assert/strict";
import { BadModule, limitMemory } from "../../../src/run/wasm/limit_memory.ts";

const HEAD = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
const MIB = 1024 * 1024;

/** A module with one exported memory; the custom section before it must survive. */
function moduleWith(...limits: readonly number[]): Uint8Array {
  const memory = [5, limits.length + 1, 1, ...limits];
  const exported = [7, 10, 1, 6, ...new TextEncoder().encode("memory"), 2, 0];
  return new Uint8Array([...HEAD, 0, 4, 2, 0x68, 0x69, 7, ...memory, ...exported]);
}

async function grown(module: Uint8Array, pages: number): Promise<boolean> {
  const { instance } = await WebAssembly.instantiate(new Uint8Array(module));
  const { memory } = instance.exports as { memory: WebAssembly.Memory };
  try {
    memory.grow(pages);
    return true;
  } catch {
    return false;
  }
}

Deno.test("limitMemory() sets a maximum where there is none", async () => {
  const module = moduleWith(0, 1);
  assert.equal(await grown(module, 32), true);
  const limited = limitMemory(module, 2 * MIB);
  assert.equal(await grown(limited, 31), true);
  assert.equal(await grown(limited, 32), false);
});

Deno.test("limitMemory() lowers a greater maximum and keeps a smaller one", async () => {
  const greater = limitMemory(moduleWith(1, 1, 200, 1), MIB);
  assert.equal(await grown(greater, 15), true);
  assert.equal(await grown(greater, 16), false);
  const smaller = limitMemory(moduleWith(1, 1, 3), MIB);
  assert.equal(await grown(smaller, 2), true);
  assert.equal(await grown(smaller, 3), false);
});

Deno.test("limitMemory() leaves the rest of the module as it is", () => {
  const [module, limited] = [moduleWith(0, 1), limitMemory(moduleWith(0, 1), MIB)];
  assert.deepEqual(limited.slice(0, 14), module.slice(0, 14));
  assert.deepEqual(limited.slice(-12), module.slice(-12));
  assert.deepEqual([...limited.slice(14, -12)], [5, 4, 1, 1, 1, 16]);
});

Deno.test("limitMemory() returns a module without memory unchanged", () => {
  assert.deepEqual(limitMemory(new Uint8Array(HEAD), MIB), new Uint8Array(HEAD));
});

Deno.test("limitMemory() divides the memory among several", () => {
  const module = new Uint8Array([...HEAD, 5, 5, 2, 0, 1, 0, 1]);
  assert.deepEqual([...limitMemory(module, 2 * MIB).slice(8)], [5, 7, 2, 1, 1, 16, 1, 1, 16]);
});

Deno.test("limitMemory() refuses more memory at the start than is allowed", () => {
  assert.throws(() => limitMemory(moduleWith(0, 17), MIB), /begins with 2 MiB .*limits.memory_mb allows 1/);
});

Deno.test("limitMemory() refuses what is no core module and says what it is", () => {
  const cases: [number[], RegExp][] = [
    [[1, 2, 3], /mark of WebAssembly/],
    [[0, 0x61, 0x73, 0x6d, 0x0d, 0, 1, 0], /component/],
    [[0, 0x61, 0x73, 0x6d, 9, 0, 0, 0], /version is 9/],
    [[...HEAD, 1, 100, 0], /cut off/],
    [[...HEAD, 5, 3, 1, 4, 1], /32-bit/],
  ];
  for (const [bytes, message] of cases) {
    assert.throws(() => limitMemory(new Uint8Array(bytes), MIB), (error: unknown) => {
      assert.ok(error instanceof BadModule);
      assert.match(error.message, message);
      return true;
    });
  }
});
