import { access, constants, lstat, mkdir, mkdtemp, readdir, readlink, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runProcess } from "../process/run.ts";
import seccomp from "./data/seccomp.json" with { type: "json" };
import { findInherited, type Inherited } from "./_inherited.ts";
import type { Mount } from "./view.ts";
import { isSystemPath, SYSTEM_PATHS } from "./system_paths.ts";

/** Files that the sandbox programs need on disk, and the system's part of every view; made once, removed at the end. */
export interface Kit extends AsyncDisposable {
  /** The system's programs and libraries, read-only. */
  readonly programs: readonly Mount[];
  /** Our own /etc with what programs need of it, and stand-ins for what tells of the host. */
  readonly etc: Mount;
  /** The same of the host's files one by one, for views in which something else of /etc is granted. */
  readonly etcOneByOne: readonly Mount[];
  /** Name resolution of the host; for jobs that share its network. */
  readonly resolving: readonly Mount[];
  /** Files of procfs that tell too much, as far as this kernel has them. */
  readonly covered: readonly string[];
  /** Top-level folders and files that are not part of the system. */
  readonly topLevel: readonly string[];
  /** Descriptors that children must not get. */
  readonly inherited: Inherited;
  /** An empty file that nobody may write. */
  readonly emptyFile: string;
  /** seccomp programs for bubblewrap; undefined on processors that they were not made for. */
  readonly filters?: { readonly online: string; readonly offline: string };
}

/** What programs read from /etc to run at all; nothing about the machine's users, services or secrets. */
const ETC: readonly string[] = [
  "alternatives",
  "ca-certificates",
  "ca-certificates.conf",
  "fonts",
  "gai.conf",
  "host.conf",
  "ld.so.cache",
  "ld.so.conf",
  "ld.so.conf.d",
  "ld-musl-x86_64.path",
  "locale.alias",
  "localtime",
  "magic",
  "mime.types",
  "nsswitch.conf",
  "perl",
  "php",
  "pki/ca-trust",
  "pki/tls",
  "protocols",
  "rpc",
  "services",
  "ssl/cert.pem",
  "ssl/certs",
  "ssl/openssl.cnf",
  "timezone",
];

/** What of procfs tells too much. Not in it: kcore and kmsg, which need privileges that nobody has inside. */
const COVERED = ["/proc/keys", "/proc/sched_debug", "/proc/timer_list"];
/** In the place of the host's accounts and names. */
const STAND_INS: Readonly<Record<string, string>> = {
  passwd: "root:x:0:0::/:/bin/sh\ntool:x:1000:1000::/tmp:/bin/sh\nnobody:x:65534:65534::/:/bin/false\n",
  group: "root:x:0:\ntool:x:1000:\nnogroup:x:65534:\n",
  hosts: "127.0.0.1 localhost\n::1 localhost\n",
  "resolv.conf": "",
};

/** Writes the kit into a private folder below `tempRoot`. */
export async function openKit(tempRoot: string = tmpdir()): Promise<Kit> {
  const folder = await mkdtemp(join(tempRoot, "skillz-kit-"));
  const put = async (name: string, data: string | Uint8Array) => {
    await writeFile(join(folder, name), data, { mode: 0o444 });
    return join(folder, name);
  };
  try {
    const [emptyFile, programs, etc, resolving, covered, topLevel, filters, inherited] = await Promise.all([
      put("empty", ""),
      programMounts(),
      existing(ETC.map((name) => `/etc/${name}`)),
      existing(["/etc/resolv.conf", "/etc/hosts"]),
      existing(COVERED),
      otherTopLevel(),
      filterFiles(put),
      findInherited(),
    ]);
    const ownEtc = await makeEtc(join(folder, "etc"), etc);
    const mount = (path: string): Mount => ({ kind: "ro", path });
    const standIns = Object.keys(STAND_INS).map((name): Mount => ({
      ...mount(`/etc/${name}`),
      source: join(ownEtc, name),
    }));
    return {
      programs,
      etc: { kind: "ro", path: "/etc", source: ownEtc },
      etcOneByOne: [...etc.map(mount), ...standIns],
      resolving: resolving.map(mount),
      covered,
      topLevel,
      inherited,
      emptyFile,
      ...(filters === undefined ? {} : { filters }),
      [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
    };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** A copy of what programs need of /etc: one mount instead of twenty, each of which costs every start its part. */
async function makeEtc(folder: string, paths: readonly string[]): Promise<string> {
  await mkdir(folder);
  const byParent = Map.groupBy(paths, dirname);
  await Promise.all([...byParent].map(async ([parent, list]) => {
    const target = join(folder, parent.slice("/etc".length));
    await mkdir(target, { recursive: true });
    const spec = { command: "/bin/cp", args: ["-dR", "--", ...list, target], cwd: "/", env: {} };
    // What can't be read is left out, as it could not be read inside either.
    await runProcess(spec, { timeoutMs: 60_000 });
  }));
  for (const [name, text] of Object.entries(STAND_INS)) await writeFile(join(folder, name), text);
  return folder;
}

async function filterFiles(
  put: (name: string, data: Uint8Array) => Promise<string>,
): Promise<Kit["filters"]> {
  const programs = seccomp[Deno.build.arch];
  if (programs === undefined) return undefined;
  const [online, offline] = await Promise.all([
    put("online.bpf", Uint8Array.fromBase64(programs.online)),
    put("offline.bpf", Uint8Array.fromBase64(programs.offline)),
  ]);
  return { online, offline };
}

async function programMounts(): Promise<Mount[]> {
  const roots = await Promise.all(SYSTEM_PATHS.map(async (path): Promise<Mount[]> => {
    try {
      // Merged systems have /bin as a link; inside it must be one too.
      if ((await lstat(path)).isSymbolicLink()) return [{ kind: "link", path, source: await readlink(path) }];
      return [{ kind: "ro", path }];
    } catch {
      return [];
    }
  }));
  return roots.flat();
}

/** What lies in / beside the system and what every sandbox makes itself. */
async function otherTopLevel(): Promise<string[]> {
  const names = await readdir("/").catch(() => []);
  return names.map((name) => `/${name}`)
    .filter((path) => !isSystemPath(path) && !["/nix", "/proc", "/dev"].includes(path)).sort();
}

/** Those of the paths that exist and may be read. */
async function existing(paths: readonly string[]): Promise<string[]> {
  const there = await Promise.all(
    paths.map((path) => access(path, constants.R_OK).then(() => true, () => false)),
  );
  return paths.filter((_, i) => there[i]);
}
