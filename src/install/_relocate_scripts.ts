import { readdir, readFile, realpath, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { SkillzError } from "../base/errors.ts";

/** First lines of what pip and uv make: a program, or a shell that starts one whose path holds a blank. */
const SHEBANG = /^#!(?:[^\n]*[\\/]python[\d.]*\n|\/bin\/sh\n'''exec' [^\n]*\n' '''\n)/;

/** Makes the scripts of a venv start the Python beside them, wherever the venv is now. */
export async function relocateScripts(venv: { path: string; bin: string; python: string }): Promise<void> {
  // A plain first line can hold neither blanks nor more than some hundred characters.
  const header = `#!/bin/sh\n'''exec' "${venv.python}" "$0" "$@"\n' '''\n`;
  // The code of a package that was built has had the folder in its hands, and may have put a link to another there.
  const expected = join(await realpath(dirname(venv.path)), basename(venv.path), basename(venv.bin));
  if (await realpath(venv.bin) !== expected) {
    throw new SkillzError(
      "denied",
      "Cannot use the environment: a package has put a link in place of its folder",
    );
  }
  const entries = await readdir(venv.bin, { withFileTypes: true });
  await Promise.all(
    entries.filter((entry) => entry.isFile()).map(async ({ name }) => {
      const path = join(venv.bin, name);
      const bytes = await readFile(path);
      // Programs are no business of ours, and would not survive being read as text.
      if (bytes[0] !== 0x23 || bytes[1] !== 0x21 || bytes.includes(0)) return;
      const text = bytes.toString("utf8");
      const moved = text.replace(SHEBANG, header);
      if (moved !== text) await writeFile(path, moved);
    }),
  );
}
