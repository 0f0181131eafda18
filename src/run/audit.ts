import { isJsonObject, type JsonObject, type JsonValue } from "../base/json.ts";

/** One call, for the audit: what ran for whom and how it ended. Holds no values of arguments or results. */
export interface AuditEntry {
  /** Whose session it was. */
  readonly sessionId: string;
  /** Name and version that the client gave of itself. */
  readonly client?: string;
  /** Unique in the process. */
  readonly callId: string;
  /** What was called. */
  readonly tool: string;
  /** Version, hash and permissions of a made tool. */
  readonly version?: string;
  /** Hash of manifest and code, as in `Tool`. */
  readonly hash?: string;
  /** What the manifest granted. */
  readonly permissions?: JsonObject;
  /** Names and types of the arguments. */
  readonly arguments: JsonValue;
  /** Tools above, outermost first. */
  readonly chain: readonly string[];
  /** `ok`, `error` for a tool's own failure, else the code of the `SkillzError`. */
  readonly outcome: string;
  /** From the call to its result. */
  readonly durationMs: number;
  /** What confined it, if it ran. */
  readonly isolation?: JsonObject;
  /** Accesses that it was denied, as far as they are known. */
  readonly denied?: readonly string[];
}

/** Takes entries; declared here, implemented where files are written. Never throws. */
export interface AuditSink {
  /** Keeps one entry; returns at once. */
  record(entry: AuditEntry): void;
}

const MAX_KEYS = 50;
const MAX_LEVELS = 3;

/** The shape of arguments: names and types, never values. */
export function argumentShape(value: JsonValue | undefined, level = 0): JsonValue {
  if (Array.isArray(value)) return `array(${value.length})`;
  if (!isJsonObject(value)) return value === null ? "null" : typeof value;
  const entries = Object.entries(value);
  if (level >= MAX_LEVELS || entries.length > MAX_KEYS) return `object(${entries.length})`;
  // Long names are likely values that somebody uses as keys.
  return Object.fromEntries(
    entries.map((
      [key, item],
    ) => [key.length > 64 ? `${key.length} characters` : key, argumentShape(item, level + 1)]),
  );
}
