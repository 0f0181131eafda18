import assert from "node:assert/strict";
import { hiddenOffers } from "../../src/tools/hidden_offers.ts";
import type { Manifest } from "../../src/tools/tool.ts";
import { testManifest } from "../support/test_manifest.ts";

const tool = (name: string, more: Partial<Manifest>) => ({ name, manifest: testManifest(name, more) });

Deno.test("hiddenOffers() names what an earlier tool offers too, and nothing of later, disabled or other ones", () => {
  const [p, q] = [{ name: "p", description: "" }, { name: "q", description: "" }] as const;
  const prompts = [p, q];
  const resources = [{ uri: "x://a", name: "a" }];
  const a = tool("a", { prompts: [p] });
  const b = tool("b", { prompts, resources });
  const c = tool("c", { prompts, resources, disabled: true });
  const d = tool("d", { prompts: [q], resources });
  const all = [a, b, c, d];
  assert.deepEqual(hiddenOffers(a, all), []);
  assert.deepEqual(hiddenOffers(b, all), ['its prompt "p" is not reached, that of the tool "a" is']);
  assert.deepEqual(hiddenOffers(d, all), [
    'its prompt "q" is not reached, that of the tool "b" is',
    'its resource "x://a" is not reached, that of the tool "b" is',
  ]);
});
