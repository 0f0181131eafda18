/** Options of {@linkcode auditLine}. */
export interface AuditLineOptions {
  /** Takes secrets out of a text. */
  redact(text: string): string;
}

/** Longer lines lose their bulky parts. */
const MAX_CHARACTERS = 16 * 1024;
/** What may be bulky, in the order in which it goes. */
const BULKY = ["arguments", "permissions", "denied", "isolation", "chain"];
/** Most characters of any text. */
const MAX_TEXT = 1024;

/**
 * An entry as a line of the audit: its time first, names in snake_case, without secrets, and never too long. Whatever the
 * entry holds, the line is one JSON object.
 */
export function auditLine(entry: object, { redact }: AuditLineOptions): string {
  const fields = Object.entries(entry).filter(([, value]) => value !== undefined);
  const record: Record<string, unknown> = {
    time: new Date().toISOString(),
    ...Object.fromEntries(fields.map(([name, value]) => [snakeCase(name), clean(value, redact)])),
  };
  let line = JSON.stringify(record);
  for (const name of BULKY) {
    if (line.length <= MAX_CHARACTERS) break;
    if (record[name] === undefined) continue;
    record[name] = "too long";
    line = JSON.stringify(record);
  }
  return `${line}\n`;
}

function clean(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === "string") {
    const text = redact(value);
    return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
  }
  // Microseconds are enough.
  if (typeof value === "number") return Math.round(value * 1000) / 1000;
  if (Array.isArray(value)) return value.map((item) => clean(item, redact));
  if (typeof value !== "object" || value === null) return value;
  // Names come from callers too.
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [redact(name), clean(item, redact)]));
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
