import {
  SSEClientTransport as SseV2,
  StreamableHTTPClientTransport as HttpV2,
} from "@modelcontextprotocol/client";
import { SSEClientTransport as SseV1 } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { openHttp } from "../../fixtures/mcp/open_http.ts";
import { FEATURES, LEGACY_FEATURES } from "./_features.ts";
import { connectV1 } from "./_sdk_v1.ts";
import { connectV2 } from "./_sdk_v2.ts";
import type { ClientAbilities, TestClient } from "./_test_client.ts";

const CLIENTS: Readonly<Record<string, (base: string, abilities: ClientAbilities) => Promise<TestClient>>> = {
  "SDK v2, 2025-11-25 over /mcp": (base, { asks }) =>
    connectV2(new HttpV2(new URL(`${base}/mcp`)), { modern: false, asks }),
  "SDK v2, 2026-07-28 over /mcp": (base, { asks }) =>
    connectV2(new HttpV2(new URL(`${base}/mcp`)), { modern: true, asks }),
  "SDK v2 over /sse": (base, { asks }) =>
    connectV2(new SseV2(new URL(`${base}/sse`)), { modern: false, asks }),
  "SDK v1 over /mcp": (base, abilities) => connectV1(new HttpV1(new URL(`${base}/mcp`)), abilities),
  "SDK v1 over /sse": (base, abilities) => connectV1(new SseV1(new URL(`${base}/sse`)), abilities),
};

// The libraries' own transports leave timers and connections behind.
const FOREIGN = { sanitizeOps: false, sanitizeResources: false };

for (const [label, connect] of Object.entries(CLIENTS)) {
  const features = label.includes("2026") ? FEATURES : [...FEATURES, ...LEGACY_FEATURES];
  for (const { name, asks, run } of features) {
    Deno.test(`${label} ${name}`, FOREIGN, async () => {
      await using http = await openHttp();
      await using client = await connect(http.url, { asks: asks ?? true });
      await run(client);
    });
  }
}
