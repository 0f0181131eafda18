import { join } from "node:path";
import type { Logger } from "../base/log.ts";
import { makeRedactor } from "../base/redact.ts";
import type { Config } from "../config/config.ts";
import { secretValues } from "../config/secret_values.ts";
import type { AuditSink } from "../run/audit.ts";
import { openAuditLog } from "../sandbox/audit_log.ts";

/** What the server keeps of calls, and how it keeps secrets out of it. */
export interface Audit extends AsyncDisposable {
  /** Takes entries. */
  readonly sink: AuditSink;
  /** Takes secrets out of a text. */
  redact(text: string): string;
}

/** Opens the audit in TOOLS_DIR; nothing is made there before the first call. */
export function composeAudit(config: Config, logger: Logger): Audit {
  const redact = makeRedactor(secretValues(config));
  const log = openAuditLog({ folder: join(config.toolsDir, "audit"), logger, redact });
  return {
    sink: log,
    redact,
    [Symbol.asyncDispose]: () => log[Symbol.asyncDispose](),
  };
}
