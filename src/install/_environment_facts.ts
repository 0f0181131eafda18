import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Language } from "./language.ts";

/** Environments are kept here, below TOOLS_DIR. */
export const ENVIRONMENTS_FOLDER = ".envs";
/** Locks of those that are being made, beside them. */
export const LOCKS_FOLDER = ".locks";

/** What an environment's folder tells about itself. */
export interface EnvironmentFacts {
  /** Where the folder was when it was made or mended. */
  readonly path: string;
  /** Whose packages they are. */
  readonly language: Language;
  /** As they were asked for. */
  readonly dependencies: readonly string[];
  /** What they were resolved to. */
  readonly lock: string;
}

/** Written last: a folder without it is not finished. */
export const FACTS_FILE = "environment.json";

/** The facts of a folder; undefined when it is not there, or not finished. */
export async function readFacts(directory: string): Promise<EnvironmentFacts | undefined> {
  try {
    return JSON.parse(await readFile(join(directory, FACTS_FILE), "utf8")) as EnvironmentFacts;
  } catch {
    return undefined;
  }
}
