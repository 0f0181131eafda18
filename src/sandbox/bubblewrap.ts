import type { Enforcer, EnforcerInput } from "./enforcer.ts";
import type { Mount, View } from "./view.ts";

/** bubblewrap: namespaces of every kind, a mount view built from nothing, our own seccomp filter. */
export const bubblewrap: Enforcer = {
  mode: "bubblewrap",
  program: "bwrap",
  cure:
    "Install bubblewrap (e.g. apt install bubblewrap); where it is there, allow unprivileged user namespaces",
  command: bubblewrapCommand,
};

const SHM_BYTES = 64 * 1024 * 1024;

function bubblewrapCommand({ program, view, filterFd }: EnforcerInput): string[] {
  const { spec } = view;
  return [
    program,
    ...["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"],
    ...(view.network ? [] : ["--unshare-net"]),
    ...["--uid", "1000", "--gid", "1000", "--hostname", "sandbox", "--cap-drop", "ALL"],
    ...["--die-with-parent", "--new-session"],
    ...mountArguments(view),
    ...(filterFd === undefined ? [] : ["--seccomp", String(filterFd)]),
    ...["--chdir", spec.cwd, "--", spec.command, ...spec.args],
  ];
}

function mountArguments(view: View): string[] {
  const root = view.mounts.filter((mount) => mount.path === "/");
  const rest = view.mounts.filter((mount) => mount.path !== "/");
  const seals = rest.filter((mount) => mount.kind === "hideFolder").flatMap((
    mount,
  ) => ["--remount-ro", mount.path]);
  return [
    ...root.flatMap((mount) => mountArgument(mount, view)),
    ...["--proc", "/proc", ...view.covered.flatMap((path) => ["--ro-bind", "/dev/null", path])],
    // Files below /proc/sys belong to root, which is who we are to the kernel where the server runs as root.
    ...["--remount-ro", "/proc", "--dev", "/dev"],
    ...["--size", String(SHM_BYTES), "--tmpfs", "/dev/shm", "--remount-ro", "/dev"],
    ...["--bind", view.scratch, "/tmp"],
    ...rest.flatMap((mount) => mountArgument(mount, view)),
    ...seals,
    ...(root.length === 0 ? ["--remount-ro", "/"] : []),
  ];
}

function mountArgument(mount: Mount, view: View): string[] {
  const { path, source = path } = mount;
  switch (mount.kind) {
    case "ro":
      return ["--ro-bind", source, path];
    case "rw":
      return ["--bind", source, path];
    case "link":
      return ["--symlink", source, path];
    case "hideFolder":
      return ["--tmpfs", path];
    case "hideFile":
      return ["--ro-bind", view.emptyFile, path];
  }
}
