import { join } from "node:path";
import { environmentOfChildren } from "../environment.ts";
import type { BenchOptions } from "../group.ts";
import { findInterpreter, hasProgram } from "../interpreters.ts";
import { alternate, mustEqual, repeat, timed } from "../measure.ts";
import type { NotBuilt, Row } from "../row.ts";
import { startServer } from "../server.ts";

const PLAIN = 'fn main() { println!("built"); }';
const SERDE = `fn main() {
    let value: serde_json::Value = serde_json::from_str("{\\"a\\":1}").unwrap();
    println!("{}", value["a"]);
}
`;

/** Making a tool of Rust code. */
export async function* build(options: BenchOptions): AsyncGenerator<Row | NotBuilt> {
  const names = { plain: "build_tool without crates", serde: "build_tool with serde_json, the second time" };
  await using server = await startServer(options);
  if (!await hasProgram("rustc") || !await server.has("build_tool")) {
    for (const name of Object.values(names)) yield { name, notBuilt: true };
    return;
  }
  const make = async (name: string, more: Record<string, unknown>) => {
    const { ms } = await server.call("build_tool", { name, description: name, ...more });
    const { text } = await server.call(name);
    mustEqual(text, "dependencies" in more ? "1" : "built", "build_tool");
    return ms;
  };
  await make("first", { code: PLAIN });
  yield {
    name: names.plain,
    unit: "ms",
    ...await alternate(options.rounds(5), {
      sample: (n) => make(`plain_${n}`, { code: `${PLAIN}\n// ${n}` }),
      floor: () => rustc(options.folder),
    }),
    floorName: "rustc -O",
    reach: { limit: 600 },
  };
  const crates = { dependencies: ["serde_json@1.0"] };
  await make("crates", { code: SERDE, ...crates });
  yield {
    name: names.serde,
    unit: "ms",
    samples: await repeat(
      options.rounds(3),
      (n) => make(`serde_${n}`, { code: `${SERDE}// ${n}`, ...crates }),
    ),
    reach: { limit: 1500 },
  };
}

async function rustc(folder: string): Promise<number> {
  const place = await Deno.makeTempDir({ dir: folder });
  const source = join(place, "main.rs");
  await Deno.writeTextFile(source, PLAIN);
  const [program = "rustc"] = await findInterpreter("rustc");
  return await timed(async () => {
    const { success } = await new Deno.Command(program, {
      args: ["-O", "--target", "wasm32-wasip1", "-o", join(place, "main.wasm"), source],
      env: environmentOfChildren(),
      clearEnv: true,
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).output();
    if (!success) throw new Error("Cannot measure the floor: rustc failed");
  });
}
