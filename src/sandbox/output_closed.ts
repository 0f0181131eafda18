import { readdir, readFile, readlink } from "node:fs/promises";

/** The kernel keeps that much of a program's name. */
const NAME_LENGTH = 15;

/**
 * Whether nothing below `pid` can write any more to where `pid` writes (Linux). Programs of the sandbox, called `frame`,
 * stand between the server and a confined program and hold its standard output open for as long as it lives, so that its
 * end is never read. False where it can't be told.
 */
export async function isOutputClosed(pid: number, frame: string): Promise<boolean> {
  const output = await readlink(`/proc/${pid}/fd/1`).catch(() => undefined);
  if (output === undefined) return false;
  let programs = 0;
  for (let layer = [pid]; layer.length > 0;) {
    const below = await Promise.all(layer.map(async (one) => {
      const isFrame = await nameOf(one) === frame.slice(0, NAME_LENGTH);
      if (!isFrame) programs += 1;
      return { holds: !isFrame && await mayHold(one, output), children: await childrenOf(one) };
    }));
    if (below.some(({ holds }) => holds)) return false;
    layer = below.flatMap(({ children }) => children);
  }
  // Before the program has begun there are frames only.
  return programs > 0;
}

async function nameOf(pid: number): Promise<string | undefined> {
  return (await readFile(`/proc/${pid}/comm`, "utf8").catch(() => undefined))?.trimEnd();
}

/** Whether a process has `output` open; also when that is not for us to see. */
async function mayHold(pid: number, output: string): Promise<boolean> {
  const folder = `/proc/${pid}/fd`;
  try {
    const names = await readdir(folder);
    const links = await Promise.all(names.map((name) => readlink(`${folder}/${name}`).catch(() => "")));
    return links.includes(output);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ENOENT";
  }
}

async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const lists = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, "utf8").catch(() => "")),
  );
  return lists.join(" ").split(/\s+/).filter(Boolean).map(Number);
}
