import { type ErrorCode, SkillzError } from "../base/errors.ts";

interface Kind {
  readonly pattern: RegExp;
  readonly code: ErrorCode;
  readonly state: string;
  readonly hint: string;
}

/** What git's words mean, the most telling first. */
const KINDS: readonly Kind[] = [
  {
    pattern: /No space left|disk quota|out of memory/i,
    code: "unavailable",
    state: "its size is too much for this disk",
    hint: "Free space where TOOLS_DIR is",
  },
  {
    pattern:
      /Authentication failed|could not read (?:Username|Password)|terminal prompts disabled|Permission denied \(|requested URL returned error: (?:401|403)|Host key verification failed|unable to get password/i,
    code: "denied",
    state: "the host asks for authentication: the repository is private, or there is none of that name",
    hint: "Check the address; for a private one use ssh with a key that an agent holds, or clone it yourself",
  },
  {
    pattern:
      /Could not resolve|Connection (?:refused|timed out|reset|closed)|Failed to connect|Couldn't connect|Network is unreachable|No route to host|certificate|SSL|TLS|Operation timed out|early EOF|RPC failed|hung up/i,
    code: "unavailable",
    state: "the network failed",
    hint: "Check host, port and proxy, and for ssh that authentication works without a question",
  },
  {
    pattern:
      /Repository not found|not found|does not appear to be a git repository|does not exist|No such file|requested URL returned error: 404|not a git repository/i,
    code: "not_found",
    state: "there is no repository at that address",
    hint: "Check the address; a private repository may look missing to those who are not signed in",
  },
  {
    pattern: /dubious ownership/i,
    code: "denied",
    state: "the folder belongs to another user",
    hint: "Copy it to a folder of your own",
  },
];

/** The error for a git that failed, told by what it wrote. */
export function gitFailure(what: string, stderr: string): SkillzError {
  const words = lastWords(stderr);
  const kind = KINDS.find(({ pattern }) => pattern.test(stderr));
  const state = kind ? `${kind.state} (${words})` : `git failed (${words})`;
  return new SkillzError(kind?.code ?? "failed", `Cannot ${what}: ${state}`, {
    ...(kind ? { hint: kind.hint } : {}),
  });
}

/** The line that says most, in one line. */
function lastWords(stderr: string): string {
  const lines = stderr.split(/[\r\n]+/).map((line) => line.trim()).filter(Boolean);
  const line = lines.findLast((one) => /^(?:fatal|error|ERROR|ssh|remote):/.test(one)) ?? lines.at(-1) ?? "";
  return line.slice(0, 300) || "it said nothing";
}
