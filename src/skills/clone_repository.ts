import { dirname } from "node:path";
import { SkillzError } from "../base/errors.ts";
import { git, type GitOptions } from "./git.ts";
import type { RepositoryUrl } from "./repository_url.ts";

/** What is cloned where. */
export interface CloneRequest {
  readonly repository: RepositoryUrl;
  /** The wanted branch; the one of the address, or the host's default, when absent. */
  readonly branch?: string;
  /** A new folder; its parent must be there. */
  readonly target: string;
  /** Hears what is being done. */
  readonly progress: (message: string) => void;
}

/** What was cloned. */
export interface Clone {
  /** The branch that was taken. */
  readonly branch: string;
  /** Hash of its newest state. */
  readonly commit: string;
  /** The part of the repository that the address names. */
  readonly path?: string;
}

/** Clones the newest state of one branch, and of its files those in folders with a SKILL.md. Throws `SkillzError`. */
export async function cloneRepository(request: CloneRequest, options: GitOptions): Promise<Clone> {
  const { repository: { url, name }, target, progress } = request;
  const cwd = dirname(target);
  progress(`Asking for the branches of ${name}`);
  const { branch, path } = chooseBranch(request, await listBranches(url, { ...options, cwd }));
  const what = `clone branch "${branch}"`;
  progress(`Cloning branch ${branch} of ${name}`);
  await git({
    what,
    cwd,
    args: [
      "clone",
      "--quiet",
      "--depth=1",
      "--single-branch",
      "--no-tags",
      "--filter=blob:none",
      "--no-checkout",
      "--template=",
      `--branch=${branch}`,
      "--",
      url,
      target,
    ],
  }, options);
  const inside = (args: readonly string[], input?: string) =>
    git({ what, cwd: target, args, ...(input === undefined ? {} : { input }) }, options);
  const { stdout: tree, truncated } = await inside(["ls-tree", "-r", "-z", "--name-only", "HEAD"]);
  const folders = skillFolders(tree.split("\0"));
  if (!truncated && folders.length > 0 && !folders.includes("")) {
    // An old git has no such command; then all files come.
    await inside(["sparse-checkout", "set", "--cone", "--stdin"], `${folders.map(quotedLine).join("\n")}\n`)
      .catch((error) => {
        if (options.signal.aborted) throw error;
      });
  }
  progress(`Fetching the files of ${name}`);
  await inside(["checkout", "--quiet", "--force", "HEAD"]);
  const commit = (await inside(["rev-parse", "HEAD"])).stdout.trim();
  return { branch, commit, ...(path === undefined ? {} : { path }) };
}

interface Branches {
  readonly names: readonly string[];
  /** The one that the host shows first; unknown when its HEAD leads nowhere. */
  readonly main?: string;
}

async function listBranches(url: string, options: GitOptions & { cwd: string }): Promise<Branches> {
  const { stdout } = await git({
    what: "reach the repository",
    cwd: options.cwd,
    args: ["ls-remote", "--symref", "--", url, "HEAD", "refs/heads/*"],
  }, { ...options, timeoutMs: Math.min(options.timeoutMs, 60_000) });
  const names = [...stdout.matchAll(/^[0-9a-f]+\trefs\/heads\/(.+)$/gm)].map(([, name = ""]) => name);
  const main = /^ref: refs\/heads\/(.+)\tHEAD$/m.exec(stdout)?.[1];
  if (names.length === 0) {
    throw new SkillzError(
      "invalid_input",
      "Cannot add the repository: it is empty, at least one commit is wanted",
    );
  }
  return main !== undefined && names.includes(main) ? { names, main } : { names };
}

function chooseBranch(
  { branch, repository: { tree } }: CloneRequest,
  { names, main }: Branches,
): { branch: string; path?: string } {
  if (tree !== undefined && tree !== branch) {
    // Both branches and paths hold slashes: the longest branch that is there is meant.
    const found = names.filter((name) => tree === name || tree.startsWith(`${name}/`))
      .reduce((a, b) => b.length > a.length ? b : a, "");
    if (found === "" || (branch !== undefined && branch !== found)) {
      throw unknownBranch(branch ?? tree, names);
    }
    const path = tree.slice(found.length + 1).replace(/(?:^|\/)SKILL\.md$/, "");
    if (path.split("/").includes("..")) throw unknownBranch(tree, names);
    return path === "" ? { branch: found } : { branch: found, path };
  }
  const wanted = branch ?? main ?? ["main", "master"].find((name) => names.includes(name)) ?? names[0] ?? "";
  if (!names.includes(wanted)) throw unknownBranch(wanted, names);
  return { branch: wanted };
}

function unknownBranch(wanted: string, names: readonly string[]): SkillzError {
  const shown = names.slice(0, 20).join(", ") + (names.length > 20 ? `, … (${names.length} in all)` : "");
  return new SkillzError(
    "not_found",
    `Cannot clone branch ${JSON.stringify(wanted.slice(0, 100))}: the repository has ${shown}`,
    { hint: "Leave branch out for the default one" },
  );
}

function skillFolders(files: readonly string[]): string[] {
  return files.filter((file) => file === "SKILL.md" || file.endsWith("/SKILL.md"))
    .map((file) => file.slice(0, -"SKILL.md".length).replace(/\/$/, ""));
}

/** As git's `--stdin` wants odd names. */
function quotedLine(folder: string): string {
  return /["\\\n]|^\s/.test(folder) ? JSON.stringify(folder) : folder;
}
