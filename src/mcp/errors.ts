import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { errorText, SkillzError } from "../base/errors.ts";
import { errorResult, type ToolResult } from "../base/tool_result.ts";

/** Text for faults of ours; what they say goes to the log only. */
const INTERNAL_TEXT = "Cannot answer: the server failed, its log on stderr says why";

/** An error as JSON-RPC error, for every request but calls of tools that exist. */
export function toProtocolError(error: unknown): ProtocolError {
  if (error instanceof ProtocolError) return error;
  if (!(error instanceof SkillzError) || error.code === "internal") {
    return new ProtocolError(ProtocolErrorCode.InternalError, INTERNAL_TEXT);
  }
  return new ProtocolError(codeOf(error), errorText(error), error.data);
}

/** An error of a tool call as the tool's answer, so that the model that called can read it and do better. */
export function toToolResult(error: unknown): ToolResult {
  if (error instanceof SkillzError && error.code !== "internal") {
    return errorResult(errorText(error), error.data);
  }
  return errorResult(INTERNAL_TEXT);
}

/** Whether an error says more than the client is told, and so belongs in the log. */
export function isOurFault(error: unknown): boolean {
  if (error instanceof ProtocolError) return error.code === ProtocolErrorCode.InternalError;
  return !(error instanceof SkillzError) || error.code === "internal";
}

function codeOf(error: SkillzError): number {
  switch (error.code) {
    case "invalid_input":
    case "not_found":
    case "conflict":
    case "denied":
      return ProtocolErrorCode.InvalidParams;
    default:
      return ProtocolErrorCode.InternalError;
  }
}
