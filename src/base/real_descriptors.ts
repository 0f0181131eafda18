/**
 * Whether a `FileHandle.fd` is the kernel's number of the open file, which `/proc/self/fd` knows. Before 2.8 Deno counts
 * on its own there, and its number may be that of a file which somebody else has open.
 */
export const HAS_REAL_DESCRIPTORS: boolean = isSince(Deno.version.deno, { major: 2, minor: 8 });

function isSince(version: string, { major, minor }: { major: number; minor: number }): boolean {
  const [ownMajor = 0, ownMinor = 0] = version.split(".").map(Number);
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
}
