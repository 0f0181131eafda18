import { type ErrorCode, SkillzError } from "../base/errors.ts";
import { MEMORY_LIMITS } from "./limits.ts";
import { LIMIT_RAISED } from "./_schema.ts";

const OTHERS_GO_ON = "Tools that use no memory go on working";

/** What the database's codes mean to whoever runs the server. */
const REASONS: Readonly<Record<string, { state: string; hint: string }>> = {
  SQLITE_NOTADB: {
    state: "the file is no SQLite database",
    hint: `Move it away, or put a copy back. ${OTHERS_GO_ON}`,
  },
  SQLITE_CORRUPT: {
    state: "the file is damaged",
    hint: `Move it away, or put a copy back. ${OTHERS_GO_ON}`,
  },
  SQLITE_BUSY: {
    state: "another program keeps it locked",
    hint: "End the program that has the file open, then try again",
  },
  SQLITE_FULL: { state: "the disk is full", hint: "Free some space, then try again" },
  SQLITE_READONLY: { state: "it can only be read", hint: "Make the file and its folder writable" },
  SQLITE_CANTOPEN: {
    state: "the file can't be opened",
    hint: "Make the file and its folder readable and writable",
  },
  SQLITE_IOERR: { state: "reading or writing the file failed", hint: `Check the disk. ${OTHERS_GO_ON}` },
  SQLITE_PERM: {
    state: "access is not permitted",
    hint: "Make the file and its folder readable and writable",
  },
};

/** The code of an error of the database, without its extension (`SQLITE_BUSY` for `SQLITE_BUSY_SNAPSHOT`). */
export function databaseCode(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  const code = String(error.code);
  return /^SQLITE_[A-Z]+/.exec(code)?.[0] ?? code;
}

/** Turns whatever the database threw into our own error; `where` names the file or server, never its token. */
export function databaseError(error: unknown, where: string): SkillzError {
  if (error instanceof SkillzError) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (message.includes(LIMIT_RAISED.entries)) {
    return limitError(`it holds ${MEMORY_LIMITS.namespaceEntries} entries, no more are allowed`);
  }
  if (message.includes(LIMIT_RAISED.bytes)) {
    return limitError(`it would hold more than ${MEMORY_LIMITS.namespaceBytes} bytes (100 MiB)`);
  }
  const reason = REASONS[databaseCode(error) ?? ""];
  if (reason) return failure("unavailable", { where, ...reason, cause: error });
  return failure("internal", {
    where,
    state: `the database reported: ${message}`,
    hint: OTHERS_GO_ON,
    cause: error,
  });
}

function limitError(state: string): SkillzError {
  return new SkillzError("limit", `Cannot store in memory namespace: ${state}`, {
    hint: "Delete entries that are no longer needed, or give them a ttl",
  });
}

function failure(
  code: ErrorCode,
  { where, state, hint, cause }: { where: string; state: string; hint: string; cause: unknown },
): SkillzError {
  return new SkillzError(code, `Cannot use memory ${where}: ${state}`, { hint, cause });
}
