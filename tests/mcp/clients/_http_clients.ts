import {
  SSEClientTransport as SseV2,
  StreamableHTTPClientTransport as HttpV2,
} from "@modelcontextprotocol/client";
import { SSEClientTransport as SseV1 } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { connectV1 } from "./_sdk_v1.ts";
import { connectV2 } from "./_sdk_v2.ts";
import type { ClientAbilities, TestClient } from "./_test_client.ts";

type Connect = (base: string, abilities: ClientAbilities) => Promise<TestClient>;

/** Clients of a server over HTTP, by label. */
export const HTTP_CLIENTS: Readonly<Record<string, Connect>> = {
  "SDK v2, 2025-11-25 over /mcp": (base, { asks }) =>
    connectV2(new HttpV2(new URL(`${base}/mcp`)), { modern: false, asks }),
  "SDK v2, 2026-07-28 over /mcp": (base, { asks }) =>
    connectV2(new HttpV2(new URL(`${base}/mcp`)), { modern: true, asks }),
  "SDK v2 over /sse": (base, { asks }) =>
    connectV2(new SseV2(new URL(`${base}/sse`)), { modern: false, asks }),
  "SDK v1 over /mcp": (base, abilities) => connectV1(new HttpV1(new URL(`${base}/mcp`)), abilities),
  "SDK v1 over /sse": (base, abilities) => connectV1(new SseV1(new URL(`${base}/sse`)), abilities),
};
