import { equal, match, ok } from "node:assert/strict";
import { readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { createDenoUnpacker } from "../../src/install/unpack_deno.ts";
import { runProcess } from "../../src/process/run.ts";
import { createProgramResolver } from "../../src/sandbox/resolve_program.ts";
import { tempDir } from "../support/temp_dir.ts";

const SAYS_SO = "#!/bin/sh\necho unpacked\n";

Deno.test("createDenoUnpacker() unpacks once, also when asked twice at the same time, and leaves nothing else", async () => {
  await using dir = await tempDir();
  const archive = pathToFileURL(join(dir.path, "deno.gz"));
  await writeFile(archive, gzipSync(SAYS_SO));
  const [one, other] = [0, 1].map(() => createDenoUnpacker({ archive, folder: join(dir.path, "to") }));
  const [first, ...others] = await Promise.all([one?.(), one?.(), other?.()]);
  ok(first);
  for (const path of others) equal(path, first);
  const { stdout } = await runProcess({ command: first, args: [], cwd: "/", env: {} }, { timeoutMs: 30_000 });
  equal(stdout.trim(), "unpacked");
  equal((await readdir(join(first, ".."))).length, 1);
  const { mtimeMs } = await stat(first);
  equal(await one?.(), first);
  equal((await stat(first)).mtimeMs, mtimeMs);
});

Deno.test("createDenoUnpacker() gives nothing when nothing is packed in, and no half when the archive is one", async () => {
  await using dir = await tempDir();
  const archive = pathToFileURL(join(dir.path, "deno.gz"));
  const unpack = createDenoUnpacker({ archive, folder: join(dir.path, "to") });
  equal(await unpack(), undefined);
  const whole = gzipSync(crypto.getRandomValues(new Uint8Array(50_000)));
  await writeFile(archive, whole.subarray(0, 30_000));
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
