import { Buffer } from "node:buffer";

/** Bytes as base64, as MCP's `blob` wants it. */
export function encodeBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}
