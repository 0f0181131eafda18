/** A server of its own for the tests: `deno run _saver.ts TOOLS_DIR NAME COUNT [hang]` saves COUNT versions of a tool. */
import { draft, openStore } from "./_support.ts";

const [toolsDir = "", name = "", count = "1", mode = ""] = Deno.args;
await using opened = await openStore(toolsDir);
const print = (text: string) => Deno.stdout.write(new TextEncoder().encode(`${text}\n`));
for (let n = 0; n < Number(count); n++) {
  const files: Record<string, string> = {};
  const code = `${Deno.pid} ${n}`;
  // Many files make the change take long enough to be hit in the middle.
  for (let file = 0; mode === "many" && file < 100; file++) files[`lib/part_${file}.sh`] = code;
  const whole = draft(name, code, { description: code });
  const tool = await opened.store.save({ ...whole, files: { ...whole.files, ...files } }, {
    overwrite: true,
  });
  await print(tool.manifest.version);
}
