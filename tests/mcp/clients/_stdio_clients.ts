import { StdioClientTransport as StdioV2 } from "@modelcontextprotocol/client/stdio";
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { STDIO_FIXTURE } from "../../transport/_raw_client.ts";
import { connectV1 } from "./_sdk_v1.ts";
import { connectV2 } from "./_sdk_v2.ts";
import type { ClientAbilities, TestClient } from "./_test_client.ts";

const server = { command: Deno.execPath(), args: ["run", "-A", STDIO_FIXTURE] };

/** Clients that start the fixture server themselves, by label. */
export const STDIO_CLIENTS: Readonly<Record<string, (abilities: ClientAbilities) => Promise<TestClient>>> = {
  "SDK v2, 2025-11-25 over stdio": ({ asks }) => connectV2(new StdioV2(server), { modern: false, asks }),
  "SDK v2, 2026-07-28 over stdio": ({ asks }) => connectV2(new StdioV2(server), { modern: true, asks }),
  "SDK v1 over stdio": (abilities) => connectV1(new StdioV1(server), abilities),
};
