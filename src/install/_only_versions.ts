/**
 * Whether a lock of Python packages names versions and nothing else. One that came with a tool may hold options too, and
 * addresses of packages that run code when they are installed.
 */
export function onlyVersions(lock: string | undefined): boolean {
  const lines = (lock ?? "").split("\n").map((line) => line.trim()).filter((line) => line !== "");
  return lines.every((line) => /^[a-z0-9][a-z0-9._-]*==[a-z0-9.!+_-]+$/i.test(line));
}
