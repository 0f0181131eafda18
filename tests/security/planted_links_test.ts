import assert from "node:assert/strict";
import { chmod, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { onlyVersions } from "../../src/install/_only_versions.ts";
import { relocateScripts } from "../../src/install/_relocate_scripts.ts";
import { createJobRunner } from "../../src/install/job_runner.ts";
import type { Access } from "../../src/sandbox/permissions.ts";
import { tempDir } from "../support/temp_dir.ts";

const SCRIPT = "#!/usr/bin/python3\nprint(1)\n";

Deno.test("relocateScripts() rewrites scripts of the venv, none that a planted link leads to", async () => {
  await using dir = await tempDir();
  const path = join(dir.path, "env", "venv");
  const venv = { path, bin: join(path, "bin"), python: join(path, "bin", "python") };
  const home = join(dir.path, "home");
  await mkdir(path, { recursive: true });
  await mkdir(home);
  await writeFile(join(home, "script"), SCRIPT);
  await symlink(home, venv.bin);
  await assert.rejects(relocateScripts(venv), { code: "denied" });
  assert.equal(await readFile(join(home, "script"), "utf8"), SCRIPT);
  await Deno.remove(venv.bin);
  await mkdir(venv.bin);
  await writeFile(join(venv.bin, "script"), SCRIPT);
  await relocateScripts(venv);
  assert.match(await readFile(join(venv.bin, "script"), "utf8"), /^#!\/bin\/sh\n/);
});

Deno.test("onlyVersions() tells a plain lock from one with options or addresses", () => {
  assert.equal(onlyVersions(undefined), true);
  assert.equal(onlyVersions("six==1.16.0\nzope.interface==6.0\n"), true);
  for (const line of ["--no-binary :all:", "x @ https://evil.example/x.whl", "-e /tmp/x", "x==1 --hash=a"]) {
    assert.equal(onlyVersions(`six==1.16.0\n${line}`), false, line);
  }
});

Deno.test("an installer sees its own settings, not the tokens of another one", async () => {
  await using dir = await tempDir();
  const [npmrc, pip] = [join(dir.path, "npmrc"), join(dir.path, "pip.conf")];
  await writeFile(npmrc, "token");
  await writeFile(pip, "token");
  const seen: { env: Readonly<Record<string, string>>; access: Access }[] = [];
  const run = createJobRunner({
    environment: { PATH: "/usr/bin:/bin", NPM_CONFIG_USERCONFIG: npmrc, PIP_CONFIG_FILE: pip },
    readPaths: [npmrc, pip],
    sandbox: {
      mode: () => Promise.resolve("none"),
      wrap: ({ spec, access }) => {
        seen.push({ env: spec.env, access });
        return Promise.resolve({
          spec,
          isolation: { mode: "none", network: "all", filesystem: "all", limits: [] },
          explain: () => Promise.resolve(undefined),
          [Symbol.asyncDispose]: () => Promise.resolve(),
        });
      },
      [Symbol.asyncDispose]: () => Promise.resolve(),
    },
  });
  const sees = async (name: string, kind: "install" | "build") => {
    const command = join(dir.path, name);
    await writeFile(command, "#!/bin/sh\n");
    await chmod(command, 0o755);
    await run({ kind, command, args: [], cwd: dir.path, net: false, timeoutMs: 30_000 });
    const { env = {}, access } = seen.at(-1) ?? {};
    const of = (path: string) => access?.read.includes(path) && Object.values(env).includes(path);
    const any = (path: string) => access?.read.includes(path) || Object.values(env).includes(path);
    return { npm: of(npmrc), pip: of(pip), anyNpm: any(npmrc), anyPip: any(pip) };
  };
  assert.deepEqual(await sees("python3.11", "install"), {
    npm: false,
    pip: true,
    anyNpm: false,
    anyPip: true,
  });
  assert.deepEqual(await sees("npm", "install"), { npm: true, pip: false, anyNpm: true, anyPip: false });
  assert.deepEqual(await sees("cargo", "build"), { npm: false, pip: false, anyNpm: false, anyPip: false });
});
