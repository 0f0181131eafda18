import type { JsonObject } from "./json.ts";

/**
 * What kind of failure it is, split by who must act:
 * `invalid_input`, `not_found`, `conflict`, `denied` by the caller; `unavailable` by whoever runs the machine;
 * `timeout`, `limit`, `cancelled` tell that the work was ended; `failed` is the tool's own failure; `internal` is ours.
 */
export type ErrorCode =
  | "invalid_input"
  | "not_found"
  | "conflict"
  | "denied"
  | "unavailable"
  | "timeout"
  | "limit"
  | "cancelled"
  | "failed"
  | "internal";

/** Options of {@linkcode SkillzError}. */
export interface SkillzErrorOptions {
  /** The error that led to this one. */
  cause?: unknown;
  /** What to do next, in one sentence; shown after the message. */
  hint?: string;
  /** Machine-readable details; never argument values or secrets. */
  data?: JsonObject;
}

/**
 * The one error class that this project throws on purpose.
 *
 * Messages follow one grammar: the action, a colon, the current state and the wanted one, no final period –
 * `Cannot register tool "x": the name holds a blank, use a-z, A-Z, 0-9, _ and -`.
 * Only `mcp/errors.ts` decides how one reaches the wire.
 */
export class SkillzError extends Error {
  /** Always `SkillzError`. */
  override readonly name = "SkillzError";
  /** What kind of failure it is. */
  readonly code: ErrorCode;
  /** What to do next. */
  readonly hint?: string;
  /** Machine-readable details. */
  readonly data?: JsonObject;

  /** Makes an error of the given kind. */
  constructor(code: ErrorCode, message: string, options: SkillzErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    if (options.hint !== undefined) this.hint = options.hint;
    if (options.data !== undefined) this.data = options.data;
  }
}

/** The message of anything that was thrown, with the hint of a {@linkcode SkillzError} after it. */
export function errorText(error: unknown): string {
  if (error instanceof SkillzError && error.hint) return `${error.message}. ${error.hint}`;
  return error instanceof Error ? error.message : String(error);
}
