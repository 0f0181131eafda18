import { isJsonObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { CAPABILITIES, INSTRUCTIONS, negotiateVersion, SERVER_INFO } from "./identity.ts";

/** `_meta` key by which a message claims a version that has no `initialize`. */
const ENVELOPE_KEY = "io.modelcontextprotocol/protocolVersion";

/** What an `initialize` request asks for, once it is sure to be well formed. */
export interface InitializeRequest {
  /** The version that the client wants. */
  readonly version: string;
}

/**
 * Reads the parameters of `initialize`. Returns `undefined` for anything that is not plainly valid, so that the
 * protocol library, which knows every rule, answers it in place of the early reply.
 */
export function readInitialize(params: JsonValue | undefined): InitializeRequest | undefined {
  if (!isJsonObject(params)) return undefined;
  const { protocolVersion, capabilities, clientInfo, _meta } = params;
  if (typeof protocolVersion !== "string" || !isCapabilities(capabilities) || !isJsonObject(clientInfo)) {
    return undefined;
  }
  if (typeof clientInfo.name !== "string" || typeof clientInfo.version !== "string") return undefined;
  if (_meta !== undefined && (!isJsonObject(_meta) || ENVELOPE_KEY in _meta)) return undefined;
  return { version: protocolVersion };
}

/** The result of `initialize`; needs no protocol library, so it can be sent before that is loaded. */
export function initializeReply(request: InitializeRequest): JsonObject {
  return {
    protocolVersion: negotiateVersion(request.version),
    capabilities: CAPABILITIES,
    serverInfo: SERVER_INFO,
    instructions: INSTRUCTIONS,
  };
}

/** Whether every capability is an object of objects and flags; what lies deeper is not looked at. */
function isCapabilities(value: JsonValue | undefined): value is JsonObject {
  if (!isJsonObject(value)) return false;
  return Object.values(value).every((capability) =>
    isJsonObject(capability) && Object.values(capability).every((part) => isFlag(part) || isJsonObject(part))
  );
}

function isFlag(value: JsonValue | undefined): boolean {
  return value === undefined || typeof value === "boolean";
}
