import { SkillzError } from "../base/errors.ts";

/** Where a repository is, taken from an address as people copy it. */
export interface RepositoryUrl {
  /** What git is given. */
  readonly url: string;
  /** Last but one part of the path; `local` where there is none. */
  readonly owner: string;
  /** Last part of the path, without `.git`. */
  readonly name: string;
  /** `BRANCH` or `BRANCH/PATH`, when the address goes on with it; where the branch ends is only known to the host. */
  readonly tree?: string;
}

/** Addresses without a URL's form: `git@host:owner/repo`. */
const SCP = /^([A-Za-z0-9_][\w.-]*)@([A-Za-z0-9][\w.-]*):(?!\/\/)([^:]+)$/;
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;
const HINT = "Give an address like https://github.com/owner/repo, git@host:owner/repo or file:///folder";

/**
 * Reads the address of a repository: https, ssh, `git@`, file, and http of this machine; with or without `.git`, a
 * slash at the end, or `/tree/BRANCH/PATH`.
 *
 * @throws `SkillzError("invalid_input")` for all others.
 */
export function parseRepositoryUrl(text: string): RepositoryUrl {
  const given = text.trim();
  if (/[\0-\x20\x7f]/.test(given)) throw refused("it holds blanks or control characters");
  const scp = SCP.exec(given);
  if (scp) {
    const [, user = "", host = "", path = ""] = scp;
    const { plain, ...rest } = splitPath(path, TREE);
    return { url: `${user}@${host}:${plain}`, ...rest };
  }
  if (!URL.canParse(given)) throw refused("it is no URL");
  const url = new URL(given);
  if (!["https:", "http:", "ssh:", "file:"].includes(url.protocol)) {
    throw refused(`${url.protocol.slice(0, 20)} is not supported, https, ssh and file are`);
  }
  if (url.protocol === "http:" && !LOOPBACK.test(url.hostname)) {
    throw refused("http can be tampered with on its way, use https");
  }
  if (url.password !== "" || (url.username !== "" && url.protocol !== "ssh:")) {
    throw refused("it holds a name or password, which would be stored, leave it out");
  }
  if (url.hostname.startsWith("-") || url.username.startsWith("-")) throw refused("its host can't be used");
  if (url.protocol === "file:" && url.hostname !== "") {
    throw refused("a file URL has three slashes: file:///folder");
  }
  const { plain, ...rest } = splitPath(url.pathname, url.protocol === "file:" ? LOCAL_TREE : TREE);
  return { url: `${url.protocol}//${url.username ? `${url.username}@` : ""}${url.host}${plain}`, ...rest };
}

/** What hosts put after a repository to show a part of it. */
const TREE = /^(.*?[^/])\/(?:-\/)?(?:tree|blob)\/(.+)$/;
/** A folder of this machine may be called `tree` itself. */
const LOCAL_TREE = /^(.*?\.git)\/tree\/(.+)$/;

function splitPath(
  path: string,
  pattern: RegExp,
): { plain: string; owner: string; name: string; tree?: string } {
  const trimmed = path.replace(/\/+$/, "");
  const [, repo = trimmed, tree] = pattern.exec(trimmed) ?? [];
  const parts = repo.split("/").filter(Boolean).map(decoded);
  const name = folderName((parts.at(-1) ?? "").replace(/(?<=.)\.git$/, ""));
  if (name === "") throw refused("it names no repository");
  return {
    plain: repo,
    owner: folderName(parts.at(-2) ?? "") || "local",
    name,
    ...(tree === undefined ? {} : { tree: decoded(tree) }),
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw refused("it is not percent-encoded as it should be");
  }
}

/** A name that is safe as a folder on every system. */
function folderName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9._-]+/g, "-").replace(/^[.-]+|[.-]+$/g, "").slice(0, 64);
}

function refused(state: string): SkillzError {
  return new SkillzError("invalid_input", `Cannot add the repository: ${state}`, { hint: HINT });
}
