import { deepEqual, ok } from "node:assert/strict";

Deno.test("deno.json names only lint rules that this Deno knows", async () => {
  const { lint } = JSON.parse(await Deno.readTextFile(new URL("../../deno.json", import.meta.url)));
  const listing = await new Deno.Command(Deno.execPath(), { args: ["lint", "--rules", "--json"] }).output();
  const { rules } = JSON.parse(new TextDecoder().decode(listing.stdout));
  const known = new Set(rules.map((rule: { code: string }) => rule.code));
  ok(known.size > 50, "the list of known rules was not read");
  ok(lint.rules.include.length > 5, "the list of wanted rules was not read");
  deepEqual(lint.rules.include.filter((name: string) => !known.has(name)), []);
  deepEqual(lint.rules.exclude ?? [], [], "a recommended rule is switched off");
});
