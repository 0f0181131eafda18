import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder of one test, gone with its contents at the end of the scope. */
export interface TempDir extends AsyncDisposable {
  /** Absolute path without links. */
  readonly path: string;
}

/** Makes an empty folder outside the repository: `await using dir = await tempDir()`. */
export async function tempDir(): Promise<TempDir> {
  const path = await realpath(await mkdtemp(join(tmpdir(), "skillz-test-")));
  return {
    path,
    // A process that is just ending may still write into the folder, so removing it is tried again a few times.
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }),
  };
}
