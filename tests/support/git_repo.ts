import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { tempDir } from "./temp_dir.ts";

const run = promisify(execFile);

/** Options of {@linkcode gitRepo}. */
export interface GitRepoOptions {
  /**
   * Name of the only branch at first.
   * @default "main"
   */
  branch?: string;
}

/** A real git repository with a working folder of its own, gone at the end of the scope. */
export interface GitRepo extends AsyncDisposable {
  /** Absolute path of its working folder. */
  readonly path: string;
  /** The `file:` URL to clone it from. */
  readonly url: string;
  /** Runs `git` in it without any of the user's settings; returns what it printed. */
  git(...args: readonly string[]): Promise<string>;
  /** Writes files (path → text), commits them all, and returns the commit's hash. */
  commit(files: Readonly<Record<string, string>>, message?: string): Promise<string>;
}

/** Makes a repository whose first commit holds the given files; without files it has no commit. */
export async function gitRepo(
  files: Readonly<Record<string, string>> = {},
  options: GitRepoOptions = {},
): Promise<GitRepo> {
  const dir = await tempDir();
  const env = {
    PATH: Deno.env.get("PATH") ?? "",
    HOME: dir.path,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "Test",
    GIT_AUTHOR_EMAIL: "test@example.com",
    GIT_COMMITTER_NAME: "Test",
    GIT_COMMITTER_EMAIL: "test@example.com",
  };
  const git = async (...args: readonly string[]) =>
    (await run("git", args, { cwd: dir.path, env, timeout: 60_000 })).stdout.trim();
  const repo: GitRepo = {
    path: dir.path,
    url: pathToFileURL(dir.path).href,
    git,
    async commit(more, message = "change") {
      for (const [name, text] of Object.entries(more)) {
        const path = join(dir.path, name);
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, text);
      }
      await git("add", "--all");
      await git("commit", "--quiet", "--allow-empty", "-m", message);
      return await git("rev-parse", "HEAD");
    },
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
  try {
    await git("init", "--quiet", `--initial-branch=${options.branch ?? "main"}`);
    if (Object.keys(files).length > 0) await repo.commit(files, "first");
    return repo;
  } catch (error) {
    await dir[Symbol.asyncDispose]();
    throw error;
  }
}
