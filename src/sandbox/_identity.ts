import { open, readdir, readlink, stat } from "node:fs/promises";
import { SkillzError } from "../base/errors.ts";
import { HAS_REAL_DESCRIPTORS } from "../base/real_descriptors.ts";

/** Opens nothing, only names it: no right to read is needed, and no FIFO blocks. */
const O_PATH = 0o10000000;
const DESCRIPTORS = "/proc/self/fd";

/**
 * Device and inode of the file that is at exactly this path, whatever may be put there later; undefined when there is
 * none. Throws `SkillzError("denied")` if a link is on the way, which there was not when the access was resolved.
 */
export async function identityOf(path: string): Promise<string | undefined> {
  try {
    // Opened once and asked through the descriptor, so that the answers are about one and the same file.
    await using file = await open(path, O_PATH);
    const { dev, ino } = await file.stat({ bigint: true });
    const identity = `${dev}:${ino}`;
    const found = HAS_REAL_DESCRIPTORS
      ? await readlink(`${DESCRIPTORS}/${file.fd}`) === path
      : await isOpenAs(path, identity);
    if (found) return identity;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  throw new SkillzError("denied", `Cannot show "${path}": it has become a link since it was checked`);
}

/** Whether one of our descriptors is that file under that path: ours is among them as long as it is open. */
async function isOpenAs(path: string, identity: string): Promise<boolean> {
  const found = await Promise.all((await readdir(DESCRIPTORS)).map(async (name) => {
    const descriptor = `${DESCRIPTORS}/${name}`;
    if (await readlink(descriptor).catch(() => undefined) !== path) return false;
    const info = await stat(descriptor, { bigint: true }).catch(() => undefined);
    return info !== undefined && `${info.dev}:${info.ino}` === identity;
  }));
  return found.includes(true);
}

/** What has to be where for a program to start: device and inode by path. */
export type Identities = ReadonlyMap<string, string>;

/**
 * A command that becomes `command` only if the mounts inside are what was granted: the sandbox programs look paths up
 * by name, and between our check and their mount another tool may have put a link in the way.
 */
export function guarded(command: readonly string[], identities: Identities): readonly string[] {
  if (identities.size === 0) return command;
  const places = [...identities].map((_, i) => `"\${${i + 2}}"`).join(" ");
  const script =
    `[ "$(PATH=/usr/bin:/bin:$PATH stat -c %d:%i -- ${places})" = "$1" ] || { ${REFUSE}; }; shift ${
      identities.size + 1
    }; exec "$@"`;
  return [
    "/bin/sh",
    "-c",
    script,
    "sh",
    [...identities.values()].join("\n"),
    ...identities.keys(),
    ...command,
  ];
}

const REFUSE = 'echo "a granted path was replaced while the sandbox was set up" >&2; exit 125';
