import { createHash } from "node:crypto";
import {
  createRequestStateCodec,
  type RequestStateCodec,
  type ServerContext,
} from "@modelcontextprotocol/server";

/** What a client carries between the rounds of a call that asks. Signed, not secret. */
export interface CallState {
  /** Id of the call. */
  readonly call: string;
  /** How often the call had asked. */
  readonly round: number;
  /** Digest of what was requested, so that the state fits no other request. */
  readonly request: string;
}

/** Options of {@linkcode createCallStateCodec}. */
export interface CallStateCodecOptions {
  /** Secret of at least 32 bytes. */
  readonly key: Uint8Array;
  /** How long a state is good for. */
  readonly ttlSeconds: number;
}

/** Signs and checks states; a state belongs to one principal and one method. */
export function createCallStateCodec(options: CallStateCodecOptions): RequestStateCodec<CallState> {
  return createRequestStateCodec<CallState>({
    key: options.key,
    ttlSeconds: options.ttlSeconds,
    bind: (ctx) => `${ctx.mcpReq.method}\0${principalOf(ctx)}`,
  });
}

/** Who sent a request: the authorised client over HTTP, whoever started us otherwise. */
export function principalOf(ctx: ServerContext): string {
  return ctx.http?.authInfo?.clientId ?? "local";
}

/** A digest of what a request is about. */
export function requestDigest(subject: unknown): string {
  return createHash("sha256").update(JSON.stringify(subject)).digest("base64url");
}
