import assert from "node:assert/strict";
import { chmod, mkdir, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createProgramResolver } from "../../src/sandbox/resolve_program.ts";
import { TEST_PATH } from "../support/sandboxed.ts";
import { tempDir } from "../support/temp_dir.ts";

const signal = AbortSignal.timeout(600_000);

/** An interpreter that leaves a mark when it is started, and claims to need a secret folder. */
async function plant(folder: string, name: string): Promise<{ path: string; ran: () => Promise<boolean> }> {
  const [path, mark] = [join(folder, name), join(folder, `${name}.ran`)];
  await writeFile(path, `#!/bin/sh\necho x > ${mark}\necho '["/usr/bin/env", "/opt/secret"]'\n`);
  await chmod(path, 0o755);
  return { path, ran: () => stat(mark).then(() => true, () => false) };
}

function resolver(path: string) {
  return createProgramResolver({ safeEnvironment: { PATH: path }, denoPath: Deno.execPath() });
}

for (const name of ["python3", "node", "ruby", "perl", "php", "cargo"]) {
  Deno.test(`resolve() never starts a ${name} that a manifest names by a path, one on PATH it asks`, async () => {
    await using dir = await tempDir();
    const rustc = await plant(dir.path, "rustc");
    const { path, ran } = await plant(dir.path, name);
    const { command, needs } = await resolver(TEST_PATH).resolve(path, { signal });
    assert.equal(await ran() || await rustc.ran(), false);
    assert.equal(command, path);
    assert.ok(!needs.includes("/opt/secret"));
    await resolver(`${dir.path}:${TEST_PATH}`).resolve(name, { signal });
    assert.equal(await ran() || await rustc.ran(), true);
  });
}

Deno.test("resolve() starts no version manager that a manifest's path leads to", async () => {
  await using dir = await tempDir();
  const root = join(dir.path, ".pyenv");
  for (const folder of ["shims", "bin"]) await mkdir(join(root, folder), { recursive: true });
  const { ran } = await plant(join(root, "bin"), "pyenv");
  const shim = await plant(join(root, "shims"), "thing");
  assert.equal((await resolver(TEST_PATH).resolve(shim.path, { signal })).command, shim.path);
  assert.equal(await ran(), false);
  await resolver(`${join(root, "shims")}:${TEST_PATH}`).resolve("thing", { signal });
  assert.equal(await ran(), true);
});

Deno.test("resolve() shows what lies beside an unknown Python, but follows no link there", async () => {
  await using dir = await tempDir();
  await mkdir(join(dir.path, "bin"));
  await mkdir(join(dir.path, "secret"));
  const { path } = await plant(join(dir.path, "bin"), "python3");
  await symlink(join(dir.path, "secret"), join(dir.path, "lib"));
  const linked = await resolver(TEST_PATH).resolve(path, { signal });
  assert.ok(!linked.needs.some((need) => need.endsWith("/lib") || need.endsWith("/secret")));
  await Deno.remove(join(dir.path, "lib"));
  await mkdir(join(dir.path, "lib"));
  const plain = await resolver(TEST_PATH).resolve(path, { signal });
  assert.ok(plain.needs.includes(join(dir.path, "lib")));
});
