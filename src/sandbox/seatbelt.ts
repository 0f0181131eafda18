import type { Access } from "./permissions.ts";

/** What a Seatbelt profile is made from. */
export interface SeatbeltInput {
  readonly access: Access;
  /** Private folder of the call. */
  readonly scratch: string;
  /** Real paths that the program needs. */
  readonly needs: readonly string[];
}

/** Folders of macOS that programs can't do without. */
const SYSTEM = [
  "/usr",
  "/bin",
  "/sbin",
  "/System",
  "/Library",
  "/private/etc",
  "/private/var/db",
  "/opt/homebrew",
  "/dev",
];

/**
 * The profile for macOS's `sandbox-exec -p` that grants exactly `access`: everything is denied first, the last rule that
 * matches decides. **Built and tested as text only**: no mode uses it yet, and it has not run on a Mac.
 *
 * Hosts can't be named in a profile (only `*` and `localhost`), so a list of hosts gets no network here.
 */
export function seatbeltProfile({ access, scratch, needs }: SeatbeltInput): string {
  const readable = [...SYSTEM, ...needs, ...access.read, ...access.write, scratch];
  const writable = [...access.write, scratch];
  const hidden = access.hidden ?? [];
  const within = (paths: readonly string[]) =>
    paths.filter((path) => hidden.some((mask) => path === mask || path.startsWith(`${mask}/`)));
  return [
    "(version 1)",
    "(deny default)",
    "(allow process-fork process-exec sysctl-read mach-lookup file-read-metadata)",
    "(allow signal (target same-sandbox))",
    ...rules("allow file-read*", readable),
    ...rules("allow file-write*", writable),
    ...rules("deny file-read* file-write*", hidden),
    // What is granted deeper than something hidden comes last and so decides.
    ...rules("allow file-read*", within([...access.read, ...access.write])),
    ...rules("allow file-write*", within(access.write)),
    '(allow file-write* (literal "/dev/null"))',
    ...(access.net === true ? ["(allow network*)", "(allow system-socket)"] : []),
  ].join("\n");
}

/** The command line that runs `command` under a profile. */
export function seatbeltCommand(profile: string, command: readonly string[]): string[] {
  return ["/usr/bin/sandbox-exec", "-p", profile, ...command];
}

function rules(action: string, paths: readonly string[]): string[] {
  return paths.length === 0
    ? []
    : [`(${action} ${paths.map((path) => `(subpath ${quote(path)})`).join(" ")})`];
}

/** A string of the profile language; a quote in a path must not end it. */
function quote(path: string): string {
  return `"${path.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}
