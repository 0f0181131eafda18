import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { isJsonObject, type JsonObject, jsonTypeOf } from "../base/json.ts";
import { fieldPath } from "../tools/issue_text.ts";

/** JSON-RPC codes of errors that the protocol library makes of parameters that it can't read. */
const INTERNAL_ERROR = -32603;
const INVALID_PARAMS = -32602;

/** A sentence of the protocol library, and the list of faults that it prints after it as JSON. */
const DUMP = /^(?:Invalid (\S+) request: )?(\[\s*\{[\s\S]*\}\s*\])$/;

/** The message, in plain words if it is an error whose text is the dump of a schema check. */
export function inPlainWords(message: JSONRPCMessage): JSONRPCMessage {
  if (!("error" in message)) return message;
  const { error } = message;
  const [, method, dump] = DUMP.exec(error.message) ?? [];
  const faults = dump === undefined ? undefined : readFaults(dump);
  if (faults === undefined) return message;
  return {
    ...message,
    error: {
      ...error,
      code: error.code === INTERNAL_ERROR ? INVALID_PARAMS : error.code,
      message: `Cannot read ${method ?? "the request"}: ${faults.join("; ")}`,
    },
  };
}

function readFaults(dump: string): string[] | undefined {
  try {
    const issues: unknown = JSON.parse(dump);
    return Array.isArray(issues) && issues.every(isJsonObject) ? issues.map(faultText) : undefined;
  } catch {
    return undefined;
  }
}

function faultText({ path, message }: JsonObject): string {
  const place = Array.isArray(path)
    ? fieldPath(path.map((part) => typeof part === "number" ? part : String(part)))
    : "";
  const text = typeof message === "string" ? message : jsonTypeOf(message);
  const plain = text.endsWith("received undefined") ? "is missing" : text.replace(/^Invalid input: /, "");
  return `${place || "it"}: ${plain.replace("expected record", "expected object")}`;
}
