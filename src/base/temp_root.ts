import { lockFile } from "./file_lock.ts";

/** The folder below which a server keeps everything temporary: what it leaves when it is killed lies in one place. */
export interface TempRoot extends AsyncDisposable {
  /** The folder, made at the first need; private to this user. */
  path(): Promise<string>;
}

/** Names of such folders in the system's folder for temporary files. */
export const TEMP_ROOT_NAME = /^skillz-[0-9a-f]+\.run$/;

/** In each of them: locked for as long as its server lives, however that ends. */
export const OWNER_FILE = ".owner";

/** Options of {@linkcode openTempRoot}. */
export interface TempRootOptions {
  /**
   * Where the folder is made.
   * @default the system's folder for temporary files
   */
  readonly parent?: string;
}

/** A root that is made when it is first asked for, and removed with all it holds when it is disposed of. */
export function openTempRoot({ parent }: TempRootOptions = {}): TempRoot {
  let made: Promise<{ path: string; owner: AsyncDisposable }> | undefined;
  const make = async () => {
    const path = await Deno.makeTempDir({
      prefix: "skillz-",
      suffix: ".run",
      ...(parent === undefined ? {} : { dir: parent }),
    });
    return { path, owner: await lockFile(`${path}/${OWNER_FILE}`) };
  };
  return {
    async path() {
      const making = made ??= make();
      making.catch(() => made = undefined);
      return (await making).path;
    },
    async [Symbol.asyncDispose]() {
      const root = await made?.catch(() => undefined);
      made = undefined;
      if (root === undefined) return;
      await root.owner[Symbol.asyncDispose]();
      // What can't be removed now, the next server tries again.
      await Deno.remove(root.path, { recursive: true }).catch(() => {});
    },
  };
}
