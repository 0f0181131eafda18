/** One of several servers on one file: stores `count` entries of its own and changes one that all share. */
import { openMemoryStore } from "../../src/memory/open_memory_store.ts";

const [path = "", name = "", count = "0"] = Deno.args;
await using memory = openMemoryStore({ path });
for (let i = 0; i < Number(count); i++) {
  await memory.set("shared", `${name}/${i}`, i);
  if (i % 10 === 0) await memory.update("shared", "all", { [`${name}/${i}`]: i });
  if (i % 25 === 0) {
    await memory.bulkSet("shared", [{ key: `${name}/a${i}`, value: 1 }, { key: `${name}/b${i}`, value: 2 }]);
  }
}
