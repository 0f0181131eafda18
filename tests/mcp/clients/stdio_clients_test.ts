import { StdioClientTransport as StdioV2 } from "@modelcontextprotocol/client/stdio";
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { STDIO_FIXTURE } from "../../transport/_raw_client.ts";
import { FEATURES, LEGACY_FEATURES } from "./_features.ts";
import { connectV1 } from "./_sdk_v1.ts";
import { connectV2 } from "./_sdk_v2.ts";
import type { ClientAbilities, TestClient } from "./_test_client.ts";

const server = { command: Deno.execPath(), args: ["run", "-A", STDIO_FIXTURE] };

const CLIENTS: Readonly<Record<string, (abilities: ClientAbilities) => Promise<TestClient>>> = {
  "SDK v2, 2025-11-25": ({ asks }) => connectV2(new StdioV2(server), { modern: false, asks }),
  "SDK v2, 2026-07-28": ({ asks }) => connectV2(new StdioV2(server), { modern: true, asks }),
  "SDK v1": (abilities) => connectV1(new StdioV1(server), abilities),
};

// The libraries' own transports leave a timer behind when they end their child.
const FOREIGN = { sanitizeOps: false, sanitizeResources: false };

for (const [label, connect] of Object.entries(CLIENTS)) {
  const features = label.includes("2026") ? FEATURES : [...FEATURES, ...LEGACY_FEATURES];
  for (const { name, asks, run } of features) {
    Deno.test(`${label} over stdio ${name}`, FOREIGN, async () => {
      await using client = await connect({ asks: asks ?? true });
      await run(client);
    });
  }
}
