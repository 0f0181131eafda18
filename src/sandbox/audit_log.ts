import { join } from "node:path";
import { errorText } from "../base/errors.ts";
import { lockFile } from "../base/file_lock.ts";
import type { Logger } from "../base/log.ts";
import { wait } from "../base/wait.ts";
import { auditLine } from "./audit_line.ts";

/** Options of {@linkcode openAuditLog}. */
export interface AuditLogOptions {
  /** Folder of the files, made when the first line is written. */
  readonly folder: string;
  /** Hears, once, that nothing can be written. */
  readonly logger: Pick<Logger, "warn">;
  /** Takes secrets out of a text. */
  redact(text: string): string;
  /**
   * Size from which a new file is begun.
   * @default 10485760
   */
  readonly maxBytes?: number;
  /**
   * Most files, the current one counted.
   * @default 10
   */
  readonly maxFiles?: number;
}

/** Appends entries to `audit.jsonl`. It never makes anybody wait and never throws. */
export interface AuditLog extends AsyncDisposable {
  /** Takes an entry; it is written a moment later. */
  record(entry: object): void;
  /** Resolves when what was taken until now is written, or can't be. */
  flush(): Promise<void>;
}

/** Name of the file that is written to; full ones have the time of their end in their name. */
const CURRENT = "audit.jsonl";
const FULL = /^audit-.*\.jsonl$/;
/** How long entries are gathered: opening the file costs more than a call of a quick tool. */
const GATHER_MS = 50;
/** Most characters that are written at once, unless one line is longer. */
const GROUP = 64 * 1024;
/** Most characters that wait for the disk; what comes when it is that slow is counted and left out. */
const MAX_WAITING = 4 * 1024 * 1024;

/** Opens the audit of a TOOLS_DIR; several servers may write to one folder. */
export function openAuditLog(options: AuditLogOptions): AuditLog {
  return new FileAuditLog(options);
}

class FileAuditLog implements AuditLog {
  readonly #options: Required<AuditLogOptions>;
  #waiting: string[] = [];
  #size = 0;
  #leftOut = 0;
  #pump: Promise<void> | undefined;
  #hurry: (() => void) | undefined;
  #warned = false;

  constructor(options: AuditLogOptions) {
    this.#options = { maxBytes: 10 * 1024 * 1024, maxFiles: 10, ...options };
  }

  record(entry: object): void {
    try {
      if (this.#size > MAX_WAITING) this.#leftOut++;
      else this.#push(auditLine(entry, this.#options));
      this.#pump ??= this.#run().finally(() => this.#pump = undefined);
    } catch (error) {
      this.#warn(error);
    }
  }

  async flush(): Promise<void> {
    while (this.#pump !== undefined) {
      this.#hurry?.();
      await this.#pump;
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.flush();
  }

  #push(line: string): void {
    this.#waiting.push(line);
    this.#size += line.length;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0 || this.#leftOut > 0) {
      await this.#gather();
      if (this.#leftOut > 0) this.#push(auditLine({ leftOut: this.#leftOut }, this.#options));
      this.#leftOut = 0;
      const lines = this.#waiting;
      this.#waiting = [];
      try {
        await this.#append(lines);
      } catch (error) {
        this.#warn(error);
      }
      this.#size = this.#waiting.reduce((sum, line) => sum + line.length, 0);
    }
  }

  async #gather(): Promise<void> {
    // A promise of its own for each wait: what waits for one that lives on stays with it.
    const hurry = Promise.withResolvers<void>();
    this.#hurry = hurry.resolve;
    await wait(GATHER_MS, { until: hurry.promise });
  }

  /** Opened anew each time, because another server may have begun a new file meanwhile. */
  async #append(lines: readonly string[]): Promise<void> {
    const { folder, maxBytes } = this.#options;
    const path = join(folder, CURRENT);
    // Loaded here: the module costs 3 MB, and a server that is not called writes no audit.
    const { mkdir, open } = await import("node:fs/promises");
    const file = await open(path, "a", 0o600).catch(async (error) => {
      if (error.code !== "ENOENT") throw error;
      await mkdir(folder, { recursive: true, mode: 0o700 });
      return await open(path, "a", 0o600);
    });
    try {
      // Whole lines in one write at the end of the file: the kernel tears none.
      for (const text of inGroups(lines)) await file.write(text);
      if ((await file.stat()).size < maxBytes) return;
    } finally {
      await file.close();
    }
    await this.#rotate(path);
  }

  async #rotate(path: string): Promise<void> {
    const { folder, maxBytes, maxFiles } = this.#options;
    const { readdir, rename, rm, stat } = await import("node:fs/promises");
    await using _lock = await lockFile(join(folder, ".lock"));
    const { size = 0 } = await stat(path).catch(() => ({ size: undefined }));
    // Another server was quicker: the file at that path is a new one.
    if (size < maxBytes) return;
    const name = `audit-${new Date().toISOString().replaceAll(":", "-")}-${
      crypto.randomUUID().slice(0, 8)
    }.jsonl`;
    await rename(path, join(folder, name));
    const full = (await readdir(folder)).filter((name) => FULL.test(name)).sort();
    for (const name of full.slice(0, Math.max(0, full.length - (maxFiles - 1)))) {
      await rm(join(folder, name), { force: true });
    }
  }

  #warn(error: unknown): void {
    if (this.#warned) return;
    this.#warned = true;
    this.#options.logger.warn("Cannot write the audit", { reason: errorText(error) });
  }
}

/** The lines joined to texts that are written at once. */
function inGroups(lines: readonly string[]): string[] {
  const groups: string[] = [];
  for (const line of lines) {
    const last = groups.at(-1);
    if (last === undefined || last.length + line.length > GROUP) groups.push(line);
    else groups[groups.length - 1] = last + line;
  }
  return groups;
}
