import { join } from "node:path";
import { SkillzError } from "../base/errors.ts";
import { lockFile } from "../base/file_lock.ts";
import { sha256 } from "../base/hash.ts";
import { onDisk } from "../tools/on_disk.ts";
import type { SkippedSkill } from "./find_skills.ts";
import { type Clone, cloneRepository } from "./clone_repository.ts";
import {
  type AddedRepository,
  readRepositoryList,
  repositoriesFolder,
  writeRepositoryList,
} from "./repository_list.ts";
import { parseRepositoryUrl, type RepositoryUrl } from "./repository_url.ts";
import { scanSkills } from "./scan_skills.ts";
import type { KnowledgeSkill, SkillStore } from "./skill_store.ts";

/** What {@linkcode addRepository} needs. */
export interface AddRepositoryDeps {
  /** Absolute path; repositories go to `repos` in it. */
  readonly toolsDir: string;
  readonly skills: Pick<SkillStore, "refresh" | "place">;
  /** The whole environment of git. */
  readonly env: Readonly<Record<string, string>>;
  /** Most time for one step of git, in milliseconds. */
  readonly timeoutMs: number;
}

/** Which repository is added. */
export interface AddRepositoryInput {
  /** As people copy it from a browser. */
  readonly url: string;
  /** The branch; the default one when absent. */
  readonly branch?: string;
}

/** Options of {@linkcode addRepository}. */
export interface AddRepositoryOptions {
  readonly signal: AbortSignal;
  /** Hears what is being done. */
  readonly progress: (message: string) => void;
}

/** What was added. */
export interface AddRepositoryResult extends AddedRepository {
  /** First part of its folder. */
  readonly owner: string;
  /** Last part of its folder. */
  readonly name: string;
  /** Whether it was there before. */
  readonly updated: boolean;
  readonly skills: readonly KnowledgeSkill[];
  /** What was passed over, with reasons. */
  readonly skipped: readonly SkippedSkill[];
}

/** Left over by a server that was killed. */
const STALE_MS = 24 * 3_600_000;

/**
 * Clones a repository of skills aside and moves it into its place when it is whole; an older state of it is replaced,
 * and stays when anything fails.
 */
export async function addRepository(
  input: AddRepositoryInput,
  deps: AddRepositoryDeps,
  { signal, progress }: AddRepositoryOptions,
): Promise<AddRepositoryResult> {
  const repository = parseRepositoryUrl(input.url);
  const base = repositoriesFolder(deps.toolsDir);
  const staging = join(base, ".staging");
  await onDisk(deps.toolsDir, () => Deno.mkdir(staging, { recursive: true }));
  await sweep(staging);
  const work = join(staging, crypto.randomUUID());
  const home = join(work, "home");
  await Deno.mkdir(home, { recursive: true });
  try {
    const target = join(work, "clone");
    const branch = input.branch?.trim() || undefined;
    const request = { repository, target, progress, ...(branch === undefined ? {} : { branch }) };
    const clone = await cloneRepository(request, { env: deps.env, home, signal, timeoutMs: deps.timeoutMs });
    await holdsSkills(target, clone);
    signal.throwIfAborted();
    const { record, updated } = await moveIntoPlace(repository, clone, { base, work, deps });
    await deps.skills.refresh();
    const root = join(base, record.folder);
    const place = deps.skills.place(record.path === undefined ? root : join(root, record.path));
    const [owner = "", name = ""] = record.folder.split("/");
    return { ...record, owner, name, updated, skills: place?.skills ?? [], skipped: place?.skipped ?? [] };
  } finally {
    await Deno.remove(work, { recursive: true }).catch(() => {});
  }
}

async function holdsSkills(target: string, { path }: Clone): Promise<void> {
  const root = path === undefined ? target : join(target, path);
  const { skills, skipped } = await scanSkills({ root, bound: target, label: "new" }).catch(() => {
    throw new SkillzError("not_found", `Cannot add the repository: it has no folder ${JSON.stringify(path)}`);
  });
  if (skills.length > 0) return;
  const reasons = skipped.map((one) => `${one.path} ${one.reason}`).join("; ");
  throw new SkillzError(
    "invalid_input",
    `Cannot add the repository: it holds no skill, at least one SKILL.md with a description is wanted${
      reasons && ` (skipped: ${reasons})`
    }`,
  );
}

interface Move {
  readonly base: string;
  readonly work: string;
  readonly deps: AddRepositoryDeps;
}

async function moveIntoPlace(
  repository: RepositoryUrl,
  clone: Clone,
  { base, work, deps }: Move,
): Promise<{ record: AddedRepository; updated: boolean }> {
  await using _lock = await lockFile(join(base, ".lock"));
  const list = await readRepositoryList(deps.toolsDir);
  const folder = await folderFor(repository, list);
  const place = join(base, folder);
  await Deno.mkdir(join(base, folder.split("/")[0] ?? ""), { recursive: true });
  const old = join(work, "old");
  const updated = await Deno.rename(place, old).then(() => true, (error) => {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  });
  try {
    await Deno.rename(join(work, "clone"), place);
  } catch (error) {
    if (updated) await Deno.rename(old, place);
    throw error;
  }
  const record: AddedRepository = { folder, url: repository.url, ...clone };
  const at = list.findIndex((one) => one.folder === folder);
  // Whoever was there first keeps its names.
  await writeRepositoryList(deps.toolsDir, at < 0 ? [...list, record] : list.with(at, record));
  return { record, updated };
}

/** Owner and name; where another host has the same pair, the owner gets a mark. */
async function folderFor(
  { url, owner, name }: RepositoryUrl,
  list: readonly AddedRepository[],
): Promise<string> {
  const same = list.find((one) => plain(one.url) === plain(url));
  if (same) return same.folder;
  const folder = `${owner}/${name}`;
  if (!list.some((one) => one.folder.toLowerCase() === folder.toLowerCase())) return folder;
  return `${owner}-${(await sha256(plain(url))).slice(0, 8)}/${name}`;
}

function plain(url: string): string {
  return url.replace(/\/+$/, "").replace(/\.git$/, "");
}

async function sweep(staging: string): Promise<void> {
  for await (const entry of Deno.readDir(staging)) {
    const path = join(staging, entry.name);
    const { mtime } = await Deno.stat(path).catch(() => ({ mtime: null }));
    if (mtime && Date.now() - mtime.getTime() > STALE_MS) {
      await Deno.remove(path, { recursive: true }).catch(() => {});
    }
  }
}
