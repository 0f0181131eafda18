import { equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { needs } from "../support/needs.ts";
import { readSource } from "../support/repository.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

Deno.test({
  name:
    "token_saving.ts shows that a program saves at least 98 % of what direct calls send, as the documents say",
  ignore: needs("bash"),
  async fn() {
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--frozen", join(ROOT, "scripts", "bench", "token_saving.ts")],
    }).output();
    const text = new TextDecoder().decode(stdout);
    equal(code, 0, text + new TextDecoder().decode(stderr));
    match(text, /^30 tools x 50 records$/m);
    const saved = Number(/^saved: ([\d.]+) %$/m.exec(text)?.[1]);
    ok(saved >= 98, text);
    const documented = Number(
      /\| saved +\| ([\d.]+) % \|/.exec(await readSource("docs/execute-code.md"))?.[1],
    );
    ok(Math.abs(saved - documented) < 0.1, `measured ${saved} %, docs/execute-code.md says ${documented} %`);
  },
});
