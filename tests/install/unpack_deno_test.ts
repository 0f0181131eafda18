import { equal, match, ok } from "node:assert/strict";
import { readdir, readFile, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { embedDeno } from "../../scripts/compile/embed_deno.ts";
import { createDenoUnpacker } from "../../src/install/unpack_deno.ts";
import { runProcess } from "../../src/process/run.ts";
import { createProgramResolver } from "../../src/sandbox/resolve_program.ts";
import { tempDir } from "../support/temp_dir.ts";

const FILES = "files of the program";
const SAYS_SO = "#!/bin/sh\necho unpacked\n";

/** A program as `deno compile` makes it: a runtime, and behind its end files that are found from the end of all. */
async function compiled(folder: string): Promise<string> {
  const elf = new Uint8Array(200);
  elf.set([0x7f, 0x45, 0x4c, 0x46, 2, 1]);
  const view = new DataView(elf.buffer);
  view.setBigUint64(0x28, 72n, true);
  view.setUint16(0x3a, 64, true);
  view.setUint16(0x3c, 2, true);
  const path = join(folder, "program");
  await writeFile(path, [elf, new TextEncoder().encode(FILES)]);
  return path;
}

Deno.test("createDenoUnpacker() unpacks once, also when asked twice at the same time, and leaves nothing else", async () => {
  await using dir = await tempDir();
  const program = await compiled(dir.path);
  await writeFile(join(dir.path, "deno"), SAYS_SO);
  await embedDeno(join(dir.path, "deno"), program);
  const [one, other] = [0, 1].map(() => createDenoUnpacker({ program, folder: join(dir.path, "to") }));
  const [first, ...others] = await Promise.all([one?.(), one?.(), other?.()]);
  ok(first);
  for (const path of others) equal(path, first);
  const { stdout } = await runProcess({ command: first, args: [], cwd: "/", env: {} }, { timeoutMs: 30_000 });
  equal(stdout.trim(), "unpacked");
  equal((await readdir(join(first, ".."))).length, 1);
  ok((await readFile(program, "latin1")).endsWith(FILES));
  const { mtimeMs } = await stat(first);
  equal(await one?.(), first);
  equal((await stat(first)).mtimeMs, mtimeMs);
});

Deno.test("createDenoUnpacker() gives nothing when nothing is packed in, and no half when the archive is one", async () => {
  await using dir = await tempDir();
  const program = await compiled(dir.path);
  const unpack = createDenoUnpacker({ program, folder: join(dir.path, "to") });
  equal(await unpack(), undefined);
  await writeFile(join(dir.path, "deno"), crypto.getRandomValues(new Uint8Array(50_000)));
  await embedDeno(join(dir.path, "deno"), program);
  await truncate(program, 30_000);
  equal(await unpack().then(() => "unpacked", () => "refused"), "refused");
  const [folder = ""] = await readdir(join(dir.path, "to"));
  equal((await readdir(join(dir.path, "to", folder))).length, 0);
});

Deno.test("resolve() takes the Deno on PATH, else the spare one, else it tells what to install", async () => {
  await using dir = await tempDir();
  const signal = AbortSignal.timeout(60_000);
  const spare = join(dir.path, "spare");
  await writeFile(spare, SAYS_SO, { mode: 0o755 });
  const resolve = async (path: string, spareDeno: () => Promise<string | undefined>) =>
    (await createProgramResolver({ safeEnvironment: { PATH: path }, denoPath: "deno", spareDeno })
      .resolve("deno run", { signal })).command;
  equal(await resolve(dir.path, () => Promise.resolve(spare)), spare);
  const error = await resolve(dir.path, () => Promise.resolve(undefined)).catch((error) => error);
  equal(error.code, "unavailable");
  match(error.hint, /install -g deno.*SKILLZ_DENO/);
  await Deno.symlink(Deno.execPath(), join(dir.path, "deno"));
  equal(await resolve(dir.path, () => Promise.reject(new Error("not asked"))), Deno.execPath());
});
