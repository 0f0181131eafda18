import { isInside } from "../base/is_inside.ts";

/** Folders with the system's programs and libraries; every mode with its own mount view shows them read-only. */
export const SYSTEM_PATHS: readonly string[] = [
  "/usr",
  "/bin",
  "/sbin",
  "/lib",
  "/lib32",
  "/lib64",
  "/libx32",
  "/nix/store",
];

/** Whether a path is part of the system that is seen in every sandbox. */
export function isSystemPath(path: string): boolean {
  return SYSTEM_PATHS.some((folder) => isInside(path, folder));
}
