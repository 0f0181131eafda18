import { z } from "zod";

/** Kinds of `--allow-sys` that Deno knows. */
const SYS_KINDS = [
  "cpus",
  "getegid",
  "getPriority",
  "gid",
  "homedir",
  "hostname",
  "loadavg",
  "networkInterfaces",
  "osRelease",
  "osUptime",
  "setPriority",
  "statfs",
  "systemMemoryInfo",
  "uid",
  "userInfo",
  "username",
] as const;

const LABEL = "[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?";
const HOST = new RegExp(`^${LABEL}(?:\\.${LABEL})*\\.?$`, "i");
/** At least two labels after the star: `*.com` would be every site there is. */
const WILDCARD = new RegExp(`^\\*(?:\\.${LABEL}){2,}$`, "i");
const VARIABLE = /^SKILLZ_[A-Z0-9_]+$/i;
const PLACEHOLDER = /^\$(?:ROOTS|TOOL|TMP|HOME)(?:[/\\]|$)/;
const WINDOWS_DRIVE = /^[a-zA-Z]:[/\\]/;

/** What is wrong with an entry of `net` or `import`; undefined when nothing is. */
function hostFault(entry: string, wildcards: boolean): string | undefined {
  if (/:\/\//.test(entry)) return "is a URL, must be a host without scheme and path";
  if (/[/\\\s@?#,]/.test(entry)) return "must be a host, without path, user, or blanks";
  const match = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/s.exec(entry);
  if (!match) return "is no host; an IPv6 address stands in brackets, as [::1]:8080";
  const [, host = "", port] = match;
  if (port !== undefined && !(/^[1-9]\d{0,4}$/.test(port) && Number(port) <= 65_535)) {
    return "has a port that is not from 1 to 65535";
  }
  if (host.startsWith("[")) return isIpv6(host) ? undefined : "has no IPv6 address in its brackets";
  if (host === "*") return "allows every host: write true instead of a list if that is meant";
  if (host.startsWith("*")) {
    if (!wildcards) return "has a *, hosts of imports are named one by one";
    return WILDCARD.test(host) ? undefined : "must be * and a domain of two parts or more, as *.example.com";
  }
  return HOST.test(host) && host.length <= 253 ? undefined : "is no host name, host:port, *.domain or [IPv6]";
}

function isIpv6(bracketed: string): boolean {
  return URL.canParse(`http://${bracketed}/`) && !bracketed.includes("%");
}

/** What is wrong with an entry of `read` or `write`. */
function pathFault(path: string): string | undefined {
  if (path.includes("\0")) return "holds a NUL character";
  if (path.split(/[/\\]/).includes("..")) return "holds .., must name its folder directly";
  if (PLACEHOLDER.test(path) || path.startsWith("/") || WINDOWS_DRIVE.test(path)) return undefined;
  return "must be absolute or begin with $ROOTS, $TOOL, $TMP or $HOME";
}

/** What is wrong with an entry of `run`: a program by name or by absolute path, never a command line. */
function programFault(program: string): string | undefined {
  if (/[\0\n]/.test(program)) return "holds a line break or NUL character";
  if (program.startsWith("/") || WINDOWS_DRIVE.test(program)) return pathFault(program);
  if (!/^[a-zA-Z0-9_][a-zA-Z0-9_.+-]*$/.test(program)) return "must be a program's name or absolute path";
  return undefined;
}

/** A list of texts, each refused for what `fault` says of it; doubles fall together. */
function list(fault: (entry: string) => string | undefined) {
  const entry = z.string().superRefine((value, ctx) => {
    const why = value === "" ? "is empty" : fault(value);
    if (why !== undefined) ctx.addIssue({ code: "custom", message: `${JSON.stringify(value)} ${why}` });
  });
  return z.array(entry).max(200).overwrite((entries) => [...new Set(entries)]);
}

/** Names of the server's variables that a tool may have. */
export const secretNames: z.ZodType<string[], string[]> = list((name) =>
  VARIABLE.test(name) ? undefined : "must be the name of a secret, SKILLZ_…"
);

/** `permissions` of a manifest: whatever is not named here is unknown, and refused rather than dropped in silence. */
export const permissionsSchema = z.strictObject({
  net: z.union([z.boolean(), list((entry) => hostFault(entry, true))], {
    error: "must be true or a list of hosts",
  })
    .transform((net) => net === false ? [] : net)
    .exactOptional()
    .meta({ description: "Hosts, host:port, *.domain or [IPv6]:port it may connect to; true for any" }),
  read: list(pathFault).exactOptional()
    .meta({ description: "Paths it may read: absolute, or from $ROOTS, $TOOL, $TMP or $HOME" }),
  write: list((path) => path === "/" ? "is the whole machine, name folders" : pathFault(path)).exactOptional()
    .meta({ description: "Paths it may write and read, as in read" }),
  env: secretNames.exactOptional().meta({ description: "Names of the SKILLZ_… secrets it gets" }),
  run: list(programFault).exactOptional()
    .meta({ description: "Programs it may start, by name or absolute path; takes a sandbox in force" }),
  sys: z.array(z.enum(SYS_KINDS)).exactOptional().meta({
    description: "Facts of the system it may ask for (Deno)",
  }),
  ffi: z.boolean().exactOptional().meta({ description: "Whether it may load native libraries (Deno)" }),
  import: list((entry) => hostFault(entry, false)).exactOptional()
    .meta({ description: "Hosts that modules may be imported from at run time (Deno)" }),
});
