import { errorText, SkillzError } from "../../base/errors.ts";
import type { JsonObject } from "../../base/json.ts";

/** JSON-RPC codes of failures; those that JSON-RPC itself defines where one fits, else from its server range. */
const CODES: Readonly<Record<SkillzError["code"], number>> = {
  invalid_input: -32602,
  not_found: -32002,
  conflict: -32009,
  denied: -32003,
  unavailable: -32001,
  timeout: -32008,
  limit: -32005,
  cancelled: -32800,
  failed: -32000,
  internal: -32603,
};

/** A failure as a script gets it: `{code, message, data: {code}}`. */
export function toRpcError(error: unknown): JsonObject {
  if (!(error instanceof SkillzError)) {
    return { code: CODES.internal, message: errorText(error), data: { code: "internal" } };
  }
  const { rpc_code: own, ...data } = error.data ?? {};
  return {
    code: typeof own === "number" ? own : CODES[error.code],
    message: errorText(error),
    data: { ...data, code: error.code },
  };
}
