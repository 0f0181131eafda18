import { mkdir, stat, writeFile } from "node:fs/promises";
import { dirname, extname } from "node:path";
import { isInside } from "../base/is_inside.ts";
import type { CommandSpec } from "../process/process.ts";
import { spellOut } from "./_hidden.ts";
import { guarded, identityOf } from "./_identity.ts";
import type { Kit } from "./kit.ts";
import type { Access } from "./permissions.ts";
import type { SandboxJob } from "./sandbox.ts";

/** One entry of the mount view, at its own path unless `source` says otherwise. */
export interface Mount {
  /** Read-only, writable, hidden folder, hidden file, or a symbolic link to `source`. */
  readonly kind: "ro" | "rw" | "hideFolder" | "hideFile" | "link";
  /** Where it appears inside. */
  readonly path: string;
  /** What appears there, or the target of the link; absent when it is the same path. */
  readonly source?: string;
}

/** What a confined process sees: everything that an enforcer's argument builder needs, nothing else. */
export interface View {
  /** The program inside. */
  readonly spec: CommandSpec;
  /** Parents before children. */
  readonly mounts: readonly Mount[];
  /** Its private folder, also seen as /tmp. */
  readonly scratch: string;
  /** Whether the network is the host's; else it has none but its own loopback. */
  readonly network: boolean;
  /** Files of procfs that tell too much, as far as this kernel has them. */
  readonly covered: readonly string[];
  /** Paths to hide one by one, for enforcers that can't show a folder within a hidden one. */
  readonly denied: readonly string[];
  /** What is seen of the host's /etc, and stand-ins, for enforcers that can't replace it as a whole. */
  readonly etc: readonly Mount[];
  /** Top-level folders and files of the host that are not part of the system. */
  readonly topLevel: readonly string[];
  /** An empty file for hiding others. */
  readonly emptyFile: string;
}

/** Options of {@linkcode planView}. */
export interface PlanOptions {
  kit: Kit;
  /** Real paths that the programs need. */
  needs: readonly string[];
  /** Shares the host's network. */
  network: boolean;
}

/**
 * Plans what a job sees. A granted folder to write that is missing is made; one to read is left out.
 * Throws `SkillzError("denied")` if a path has become a link since the access was resolved.
 */
export async function planView(job: SandboxJob, { kit, needs, network }: PlanOptions): Promise<View> {
  const { access, scratch, spec } = job;
  await Promise.all(access.write.map(provide));
  const [read, write, own] = await Promise.all([
    identify(access.read),
    identify(access.write),
    identify([scratch]),
  ]);
  const granted: Mount[] = [
    ...[...read.keys()].map((path): Mount => ({ kind: "ro", path })),
    ...[...write.keys(), ...own.keys()].map((path): Mount => ({ kind: "rw", path })),
    ...pins(access),
    ...await Promise.all((access.hidden ?? []).map(hide)),
  ];
  // The deepest mount decides: TOOLS_DIR is hidden in a granted workspace, and programs of our own lie in it.
  const byDepth = sorted(granted);
  const isGranted = (path: string) => {
    const mount = byDepth.findLast((mount) => isInside(path, mount.path));
    return mount?.kind === "ro" || mount?.kind === "rw";
  };
  const outside = needs.filter((path) => !isGranted(path)).map((path): Mount => ({ kind: "ro", path }));
  const grantsInEtc = granted.some((mount) => isInside(mount.path, "/etc"));
  const system = [
    ...kit.programs,
    ...(grantsInEtc ? kit.etcOneByOne : [kit.etc]),
    ...(network ? kit.resolving : []),
  ].filter((mount) => !isGranted(mount.path));
  const mounts = sorted([...system, ...outside, ...granted]);
  const seen = mounts.some((mount) =>
    (mount.kind === "ro" || mount.kind === "rw") && isInside(spec.cwd, mount.path)
  );
  const [command = spec.command, ...args] = guarded(
    [spec.command, ...spec.args],
    // The scratch folder is new and nobody else's.
    new Map([...read, ...write].filter(([path]) => path !== scratch)),
  );
  return {
    spec: { ...spec, command, args, ...(seen ? {} : { cwd: scratch }) },
    mounts,
    scratch,
    network,
    covered: kit.covered,
    etc: [...kit.etcOneByOne, ...(network ? kit.resolving : [])],
    denied: await spellOut(access.denied ?? [], outside.map(({ path }) => path)),
    topLevel: kit.topLevel,
    emptyFile: kit.emptyFile,
  };
}

/** Those of the paths that exist, with what is there. */
async function identify(paths: readonly string[]): Promise<Map<string, string>> {
  const found = await Promise.all(paths.map(async (path) => [path, await identityOf(path)] as const));
  return new Map(found.flatMap(([path, identity]) => identity === undefined ? [] : [[path, identity]]));
}

/** Makes what may be written, so that there is something to mount: a file if the name has an extension, else a folder. */
async function provide(path: string): Promise<void> {
  if (await stat(path).then(() => true, () => false)) return;
  await mkdir(extname(path) === "" ? path : dirname(path), { recursive: true });
  if (extname(path) !== "") await writeFile(path, "", { flag: "a" });
}

/**
 * The folders between a writable one and a hidden one in it, as mounts of themselves: a mount point can't be renamed,
 * else a tool could move TOOLS_DIR aside by its parent and put its own in place.
 */
function pins({ write, hidden = [] }: Access): Mount[] {
  const found = new Set<string>();
  for (const path of hidden) {
    const grant = write.find((folder) => isInside(path, folder));
    if (grant === undefined) continue;
    for (let at = dirname(path); at !== grant && isInside(at, grant); at = dirname(at)) found.add(at);
  }
  return [...found].map((path) => ({ kind: "rw", path }));
}

async function hide(path: string): Promise<Mount> {
  const isFolder = await stat(path).then((info) => info.isDirectory(), () => false);
  return { kind: isFolder ? "hideFolder" : "hideFile", path };
}

/** By depth, so that the deepest mount is made last and decides; each path once, the last one said wins. */
function sorted(mounts: readonly Mount[]): Mount[] {
  const byPath = new Map(mounts.map((mount) => [mount.path, mount]));
  const depth = (path: string) => path.split("/").filter(Boolean).length;
  return [...byPath.values()].sort((a, b) => depth(a.path) - depth(b.path) || (a.path < b.path ? -1 : 1));
}
