import assert from "node:assert/strict";
import { resultText } from "../../../src/base/tool_result.ts";
import { needs } from "../../support/needs.ts";
import { wasmBench } from "./_bench.ts";

const HEAD = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
const text = (value: string) => [value.length, ...new TextEncoder().encode(value)];
const section = (id: number, ...body: number[]) => [id, body.length, ...body];
/** One function type without parameters, one function that returns at once, a memory of one page. */
const TYPES = section(1, 1, 0x60, 0, 0);
const FUNCTIONS = section(3, 1, 0);
const MEMORY = section(5, 1, 0, 1);
const CODE = section(10, 1, 2, 0, 0x0b);

Deno.test("a module made elsewhere runs under the entry_file of its manifest", async () => {
  await using bench = await wasmBench();
  const exported = section(7, 2, ...text("memory"), 2, 0, ...text("_start"), 0, 0);
  const module = new Uint8Array([...HEAD, ...TYPES, ...FUNCTIONS, ...MEMORY, ...exported, ...CODE]);
  const tool = await bench.tool(module, { entry_file: "made_elsewhere.wasm" });
  const result = await bench.do(tool, "");
  assert.deepEqual([result.isError, resultText(result)], [undefined, ""]);
});

Deno.test("a module that can't be run says why", async () => {
  await using bench = await wasmBench();
  const cases: [number[], RegExp][] = [
    [[...HEAD, ...TYPES, ...FUNCTIONS, ...CODE], /no memory/],
    [
      [...HEAD, ...TYPES, ...FUNCTIONS, ...MEMORY, ...section(7, 1, ...text("memory"), 2, 0), ...CODE],
      /no function _start/,
    ],
    [
      [...HEAD, ...TYPES, ...section(2, 1, ...text("env"), ...text("now"), 0, 0)],
      /imports env\.now, which is not part of wasi_snapshot_preview1/,
    ],
    [[...HEAD, 1, 3, 9, 9, 9], /can't be run/],
  ];
  for (const [bytes, message] of cases) {
    const result = await bench.do(await bench.tool(new Uint8Array(bytes)), "");
    assert.equal(result.isError, true);
    assert.match(resultText(result), message);
  }
});

Deno.test({
  name: "what is no core module is refused before it is run",
  ignore: needs("rustc"),
  async fn() {
    await using bench = await wasmBench();
    await assert.rejects(bench.do(await bench.tool(new Uint8Array([1, 2, 3])), ""), /mark of WebAssembly/);
    const component = new Uint8Array([0, 0x61, 0x73, 0x6d, 0x0d, 0, 1, 0]);
    await assert.rejects(bench.do(await bench.tool(component), ""), /component \(WASI preview 2\)/);
    const tool = await bench.probe({ entry_file: "x.wasm" });
    const away = { ...tool, manifest: { ...tool.manifest, entry_file: "../x.wasm" } };
    await assert.rejects(bench.do(away, ""), /leads out of its folder/);
  },
});
