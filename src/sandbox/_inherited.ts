import { readdir, readFile } from "node:fs/promises";
import { isExecutable } from "../process/find_program.ts";

/** Descriptors that whoever started the server left open, and a shell that can close them. */
export interface Inherited {
  /** Numbers above 2 that every child would get. */
  readonly descriptors: readonly number[];
  /** bash where one has two digits: other shells know only one. */
  readonly shell: string;
  /** A program that makes what it runs the leader of a session of its own, if there is one. */
  readonly setsid?: string;
}

const CLOSE_ON_EXEC = 0o2000000;
/** Of util-linux or busybox, on every Linux. */
const SETSID = "/usr/bin/setsid";

/** Looks for descriptors that Deno hands on to children because it did not open them itself (Linux). */
export async function findInherited(): Promise<Inherited> {
  const names = await readdir("/proc/self/fdinfo").catch(() => []);
  const found = await Promise.all(
    names.map(Number).filter((fd) => fd > 2).map(async (fd) => {
      const info = await readFile(`/proc/self/fdinfo/${fd}`, "utf8").catch(() => "");
      const flags = parseInt(/^flags:\s*([0-7]+)/m.exec(info)?.[1] ?? "0", 8);
      return info !== "" && (flags & CLOSE_ON_EXEC) === 0 ? [fd] : [];
    }),
  );
  const descriptors = found.flat().sort((a, b) => a - b);
  const bash = descriptors.some((fd) => fd > 9) && await isExecutable("/bin/bash");
  const setsid = Deno.build.os === "linux" && await isExecutable(SETSID);
  return { descriptors, shell: bash ? "/bin/bash" : "/bin/sh", ...(setsid ? { setsid: SETSID } : {}) };
}
