import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LOG_LEVEL_META_KEY,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { isJsonObject, type JsonObject } from "../base/json.ts";
import type { McpLogLevel } from "../run/call_context.ts";
import { asLogLevel } from "./log_level.ts";

/** What each request of the newer era says about its client. */
export interface Envelope {
  /** The client's capabilities as it sent them. */
  readonly capabilities?: JsonObject;
  /** Name and version of the client. */
  readonly clientInfo?: JsonObject;
  /** Level of messages that it wants while this request is answered; none means no messages. */
  readonly logLevel?: McpLogLevel;
}

/** Reads a request's envelope; empty for requests of the older era. */
export function readEnvelope(ctx: ServerContext): Envelope {
  const envelope: unknown = ctx.mcpReq.envelope;
  if (!isJsonObject(envelope)) return {};
  const capabilities = envelope[CLIENT_CAPABILITIES_META_KEY];
  const clientInfo = envelope[CLIENT_INFO_META_KEY];
  const logLevel = asLogLevel(envelope[LOG_LEVEL_META_KEY]);
  return {
    ...(isJsonObject(capabilities) ? { capabilities } : {}),
    ...(isJsonObject(clientInfo) ? { clientInfo } : {}),
    ...(logLevel ? { logLevel } : {}),
  };
}
