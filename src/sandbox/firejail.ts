import { SkillzError } from "../base/errors.ts";
import { isInside } from "../base/is_inside.ts";
import type { Enforcer, EnforcerInput } from "./enforcer.ts";
import { ABSENT, REFUSED } from "./seccomp_rules.ts";
import type { View } from "./view.ts";

/**
 * firejail: the host's root made read-only and emptied down to what is granted. What it can't do: our filter's rules on
 * arguments, except for socket families and namespaces, which it has options for.
 */
export const firejail: Enforcer = {
  mode: "firejail",
  program: "firejail",
  cure: "Install firejail (e.g. apt install firejail), set-user-ID root, and not inside another sandbox",
  command: firejailCommand,
};

/** Calls that firejail 0.9.72 knows by name; it refuses to start with one that it does not know. */
const UNKNOWN_TO_FIREJAIL: ReadonlySet<string> = new Set([
  "open_tree_attr",
  "fchmodat2:ENOSYS",
  "quotactl_fd",
]);

/** Variables that the loader takes from a set-user-ID program such as firejail. */
const SCRUBBED = ["TMPDIR", "TZDIR", "LOCPATH", "LD_LIBRARY_PATH"];

function firejailCommand({ program, view, unixSockets }: EnforcerInput): string[] {
  const { spec } = view;
  const refused = [...Object.keys(REFUSED), ...Object.keys(ABSENT).map((name) => `${name}:ENOSYS`)]
    .filter((name) => !UNKNOWN_TO_FIREJAIL.has(name));
  // The last one said wins: the host's own where its network is shared.
  const hosts = view.etc.findLast((mount) => mount.path === "/etc/hosts");
  const families = unixSockets ? "unix,inet,inet6,netlink" : "inet,inet6,netlink";
  return [
    program,
    // First of all, or its banner lands in the tool's output.
    "--quiet",
    ...["--noprofile", "--deterministic-exit-code", "--deterministic-shutdown"],
    ...["--caps.drop=all", "--nonewprivs", "--noroot", "--restrict-namespaces", "--ipc-namespace"],
    ...[`--seccomp=${refused.join(",")}`, `--protocol=${families}`, "--seccomp.block-secondary"],
    ...["--private-dev", "--hostname=sandbox", "--dbus-user=none", "--dbus-system=none", "--disable-mnt"],
    ...(view.network ? [] : ["--net=none"]),
    ...(hosts?.source === undefined ? [] : ["--whitelist=/etc/hosts", `--hosts-file=${hosts.source}`]),
    ...SCRUBBED.filter((name) => spec.env[name] !== undefined).map((name) =>
      `--env=${name}=${spec.env[name]}`
    ),
    ...mountArguments(view),
    `--private-cwd=${spec.cwd}`,
    ...["--", spec.command, ...spec.args],
  ];
}

function mountArguments(view: View): string[] {
  const shown = [
    ...view.mounts.filter((mount) => mount.path !== "/etc" || mount.source === undefined),
    ...view.etc,
  ]
    .filter((mount) => mount.kind === "ro" || mount.kind === "rw");
  const whole = shown.filter((mount) => view.topLevel.includes(mount.path)).map((mount) => mount.path);
  const bases = view.topLevel.filter((path) => !whole.includes(path));
  const listed = shown.filter((mount) =>
    mount.source === undefined && bases.some((base) => isInside(mount.path, base))
  );
  // firejail keeps its own state in /run, which can't be taken away but emptied around that.
  const emptied = bases.filter((base) =>
    base === "/run" || listed.some((mount) => isInside(mount.path, base))
  );
  return [
    ...listed.map((mount) => `--whitelist=${plain(mount.path)}`),
    // A path that nobody has: else a folder that holds the home folder would only be emptied within that.
    ...emptied.map((base) => `--whitelist=${base}/skillz-none`),
    ...bases.filter((base) => !emptied.includes(base)).map((base) => `--blacklist=${plain(base)}`),
    "--read-only=/",
    ...shown.filter((mount) => mount.source === undefined && !isSystemMount(mount.path, view))
      .map((mount) => `--read-${mount.kind === "rw" ? "write" : "only"}=${plain(mount.path)}`),
    // Mounted on themselves they can't be moved aside by their names.
    ...view.mounts.filter((mount) => mount.kind === "hideFolder").map((mount) =>
      `--read-only=${plain(mount.path)}`
    ),
    ...view.denied.map((path) => `--blacklist=${plain(path)}`),
  ];
}

/** Whether a path is outside of what firejail empties, and so read-only by the root's own rule. */
function isSystemMount(path: string, view: View): boolean {
  return !view.topLevel.some((base) => isInside(path, base)) || isInside(path, "/etc");
}

function plain(path: string): string {
  if (!/[*?[\],\\$~{}]/.test(path)) return path;
  throw new SkillzError(
    "denied",
    `Cannot show ${JSON.stringify(path)}: firejail reads *, ?, [, ], {, } and commas as patterns`,
    {
      hint: "Rename the folder, or choose another sandbox",
    },
  );
}
