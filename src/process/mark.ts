/** Name of the variable that every child gets, so that descendants are found wherever they hide. */
export const MARK_NAME = "SKILLZ_PROCESS";

/** Begins every mark of this server process and no other one's: what the orphan guard looks for. */
export const SERVER_MARK: string = crypto.randomUUID().replaceAll("-", "");

/** A fresh mark for one child; its descendants inherit it. */
export function newMark(): string {
  return `${SERVER_MARK}.${crypto.randomUUID().slice(0, 8)}`;
}
