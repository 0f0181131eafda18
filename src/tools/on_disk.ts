import { SkillzError } from "../base/errors.ts";

/** What the system says when a folder can't be written, in words. */
const REASONS: Readonly<Record<string, string>> = {
  EROFS: "its file system is read-only",
  EACCES: "permission is denied",
  EPERM: "permission is denied",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open",
  EEXIST: "a file or a broken link has its name",
  ENOTDIR: "a part of its path is a file",
  ENOENT: "it is gone",
  EIO: "the disk does not work",
};

/**
 * Does work on TOOLS_DIR. What the system has against it is told in words, with the folder and what to do.
 *
 * @throws `SkillzError("unavailable")` in that case, everything else as it was thrown.
 */
export async function onDisk<T>(root: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SkillzError) throw error;
    const code = systemCode(error);
    const reason = code !== undefined && Object.hasOwn(REASONS, code) ? REASONS[code] : undefined;
    // What goes on meanwhile, such as an example that is run, has troubles of its own with other files.
    if (reason === undefined || !(error instanceof Error) || !error.message.includes(root)) throw error;
    throw new SkillzError(
      "unavailable",
      `Cannot write to TOOLS_DIR ${JSON.stringify(root)}: ${reason}, it must be a folder that can be written`,
      { cause: error, hint: "Mend that, or set TOOLS_DIR to another folder" },
    );
  }
}

/** Whether an error says that something can't be written to. */
export function isReadOnly(error: unknown): boolean {
  return ["EROFS", "EACCES", "EPERM"].includes(systemCode(error) ?? "");
}

/** `EROFS` and the like, also of an error that {@linkcode onDisk} has put into words. */
export function systemCode(error: unknown): string | undefined {
  if (error instanceof SkillzError) return systemCode(error.cause);
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
