import { stat } from "node:fs/promises";
import { isIP } from "node:net";
import { stripVTControlCharacters } from "node:util";
import { isInside } from "../base/is_inside.ts";
import { parseHostRule, sharesHost } from "./host_rule.ts";
import type { Access } from "./permissions.ts";
import { isSystemPath } from "./system_paths.ts";

/** An access that a tool lacked, and the line of its manifest that would grant it. */
export interface DeniedAccess {
  /** Field of `permissions`. */
  readonly field: "net" | "read" | "write" | "env" | "run" | "sys" | "ffi" | "import";
  /** Value to add; undefined where the error does not tell which. */
  readonly value?: string;
}

/** Options of {@linkcode findDenied}. */
export interface FindDeniedOptions {
  readonly access: Access;
  /** Whether files outside the granted ones are out of sight, so that "not found" may mean "not granted". */
  readonly confined: boolean;
  /** Whether hosts that are not granted can't be reached. */
  readonly offline: boolean;
}

/** What Deno says, for every kind of access. */
const DENO = /Requires (net|read|write|env|run|sys|ffi|import) access(?: to "([^"]+)"|, run again)/;
const WRITE_REFUSED = /\b(?:EROFS|Read-only file system|read-only file system|Errno 30)\b/;
const READ_REFUSED =
  /\b(?:EACCES|EPERM|Permission denied|permission denied|Operation not permitted|Errno 13|Errno 1)\b/;
const NOT_FOUND = /\b(?:ENOENT|[Nn]o such file or directory|Errno 2|NotFound)\b/;
const NETWORK =
  /ENETUNREACH|[Nn]etwork is unreachable|EAI_AGAIN|ENOTFOUND|[Tt]emporary failure in name resolution|Name or service not known|[Cc]ould not resolve host|nodename nor servname|failed to lookup address|dns error|getaddrinfo|php_network_getaddresses|Failed to resolve/;
const REFUSED = /ECONNREFUSED|[Cc]onnection refused|Errno 111\b/;
const HOST_HINTS: readonly RegExp[] = [
  /ECONNREFUSED ([\w.:]+):(\d+)/,
  /getaddrinfo (?:EAI_AGAIN|ENOTFOUND) ([\w.-]+)/,
  /host='([\w.-]+)', port=(\d+)/,
  /[Cc]ould not resolve host:? '?([\w.-]+)/,
  /connection to ([\w.-]+):(\d+)/,
  /getaddrinfo for ([\w.-]+)/,
  /https?:\/\/([\w.-]+)(?::(\d+))?/,
];
/** A path in the words of interpreters: quoted, or at the end after `@ rb_sysopen - `, or between colons as shells do. */
const PATHS: readonly RegExp[] = [
  /['"‘`(]((?:\/)[^'"’`()\n]+)['"’`)]/,
  / - (\/[^\n]+?)(?: \(|$)/m,
  /: (\/[^:\n]+): /,
];
const MISSING_PROGRAM: readonly RegExp[] = [
  /(?:^|: )([\w.+-]+): (?:command )?not found/m,
  /spawn ([\w.+-]+) ENOENT/,
  /No such file or directory: '([\w.+-]+)'/,
  /No such file or directory - ([\w.+-]+)/,
];

/**
 * Recognises in what a tool wrote to stderr the access that it lacked: the last line that tells of one decides, because
 * that is what it died of. Paths that exist nowhere, or that no manifest could grant, are not named.
 */
export async function findDenied(
  stderr: string,
  options: FindDeniedOptions,
): Promise<DeniedAccess | undefined> {
  const text = stripVTControlCharacters(stderr);
  for (const line of text.split("\n").reverse()) {
    const found = fromDeno(line) ?? await fromFile(line, options) ?? fromProgram(line, options) ??
      fromNetwork(line, text, options) ?? fromEnvironment(line);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** `permissions.net: ["api.weather.gov"]`: what to add to the manifest. */
export function manifestLine({ field, value }: DeniedAccess): string {
  if (field === "ffi") return "permissions.ffi: true";
  return `permissions.${field}: [${JSON.stringify(value ?? "…")}]`;
}

function fromDeno(line: string): DeniedAccess | undefined {
  const [, field, value] = DENO.exec(line) ?? [];
  if (field === undefined) return undefined;
  // Deno's own words for "something of this kind".
  const named = value !== undefined && !/^<.*>$/.test(value) ? { value: value.replace(/:443$/, "") } : {};
  return { field: field as DeniedAccess["field"], ...named };
}

async function fromFile(
  line: string,
  { access, confined }: FindDeniedOptions,
): Promise<DeniedAccess | undefined> {
  const path = PATHS.map((pattern) => pattern.exec(line)?.[1]?.trim()).find((found) => found !== undefined);
  if (path === undefined) return undefined;
  const granted = (paths: readonly string[]) => paths.some((folder) => isInside(path, folder));
  const unnamed = isSystemPath(path) || (access.hidden?.some((folder) => isInside(path, folder)) ?? false) ||
    ["/proc", "/sys", "/dev"].some((folder) => isInside(path, folder));
  if (unnamed) return undefined;
  if (WRITE_REFUSED.test(line)) return granted(access.write) ? undefined : { field: "write", value: path };
  const readable = granted([...access.read, ...access.write]);
  if (READ_REFUSED.test(line) && confined) {
    return readable
      ? granted(access.write) ? undefined : { field: "write", value: path }
      : { field: "read", value: path };
  }
  if (!NOT_FOUND.test(line) || !confined || readable) return undefined;
  return await stat(path).then(() => ({ field: "read" as const, value: path }), () => undefined);
}

function fromProgram(line: string, { access, confined }: FindDeniedOptions): DeniedAccess | undefined {
  if (!confined) return undefined;
  const name = MISSING_PROGRAM.map((pattern) => pattern.exec(line)?.[1]).find((found) => found !== undefined);
  return name === undefined || access.run.includes(name) ? undefined : { field: "run", value: name };
}

function fromNetwork(
  line: string,
  text: string,
  { offline, access }: FindDeniedOptions,
): DeniedAccess | undefined {
  const refused = REFUSED.test(line);
  if (!offline || (!refused && !NETWORK.test(line))) return undefined;
  let reached = false;
  for (const source of [line, text]) {
    for (const pattern of HOST_HINTS) {
      const [, host, port] = pattern.exec(source) ?? [];
      // Only loopback can refuse: nothing else is there. It is the tool's own, and the host's where that was granted.
      if (host === undefined || (refused && !isLoopback(host))) continue;
      if (!isGranted(host, { port, access })) {
        return { field: "net", value: named(host, port) };
      }
      reached = true;
    }
  }
  // A granted host that could not be reached for another reason, e.g. by a program that uses no proxy.
  return reached || refused ? undefined : { field: "net" };
}

/** As a manifest names it. */
function named(host: string, port: string | undefined): string {
  const shown = isIP(host) === 6 ? `[${host}]` : host;
  return port === undefined ? shown : `${shown}:${port}`;
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host.startsWith("127.");
}

function isGranted(host: string, { port, access }: { port: string | undefined; access: Access }): boolean {
  if (access.net === true) return true;
  const wanted = parseHostRule(named(host, port));
  return wanted !== undefined && access.net.some((text) => {
    const rule = parseHostRule(text);
    return rule !== undefined && sharesHost(rule, wanted);
  });
}

function fromEnvironment(line: string): DeniedAccess | undefined {
  const [, name] =
    /KeyError: '(SKILLZ_\w+)'|\b(SKILLZ_\w+): (?:unbound variable|parameter not set)/.exec(line) ?? [];
  return name === undefined ? undefined : { field: "env", value: name };
}
