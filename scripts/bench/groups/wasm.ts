import type { BenchOptions } from "../group.ts";
import { hasProgram } from "../interpreters.ts";
import { mustEqual, repeat, timed } from "../measure.ts";
import type { NotBuilt, Row } from "../row.ts";
import { type Server, startServer } from "../server.ts";

const MANY = 32;

/** Prints how many bytes of arguments it was given, so that each answer can be told from the others. */
const CODE = `use std::io::Read;
fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    println!("{}", text.trim().len());
}
`;

/** Calls of a tool in WebAssembly. */
export async function* wasm(options: BenchOptions): AsyncGenerator<Row | NotBuilt> {
  const names = { warm: "WASM call, warm", many: `${MANY} WASM calls at once` };
  await using server = await startServer(options);
  if (!await hasProgram("rustc") || !await server.has("build_tool")) {
    for (const name of Object.values(names)) yield { name, notBuilt: true };
    return;
  }
  await server.call("build_tool", { name: "w", description: "w", code: CODE });
  await repeat(30, (n) => count(server, n));
  yield {
    name: names.warm,
    unit: "ms",
    samples: await repeat(options.rounds(50), (n) => count(server, n)),
    reach: { limit: 1 },
  };
  const all = () => Promise.all(Array.from({ length: MANY }, (_, n) => count(server, n)));
  yield {
    name: names.many,
    unit: "ms",
    samples: await repeat(options.rounds(20), () => timed(all)),
    reach: { limit: 40 },
  };
}

async function count(server: Server, n: number): Promise<number> {
  const args = { text: "x".repeat(n) };
  const { ms, text } = await server.call("w", args);
  mustEqual(text, String(JSON.stringify(args).length), "WASM call");
  return ms;
}
