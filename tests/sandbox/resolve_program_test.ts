import assert from "node:assert/strict";
import { chmod, mkdir, realpath, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runProcess } from "../../src/process/run.ts";
import { createProgramResolver } from "../../src/sandbox/resolve_program.ts";
import { needs } from "../support/needs.ts";
import { TEST_PATH } from "../support/sandboxed.ts";
import { tempDir } from "../support/temp_dir.ts";

const signal = AbortSignal.timeout(600_000);

function resolver(path = TEST_PATH) {
  const programs = createProgramResolver({
    safeEnvironment: { PATH: path, HOME: "/nonexistent" },
    denoPath: Deno.execPath(),
  });
  return (program: string) => programs.resolve(program, { signal });
}

async function program(path: string, text: string): Promise<void> {
  await writeFile(path, text);
  await chmod(path, 0o755);
}

Deno.test("resolve() always means the tools' own Deno by `deno`, and keeps arguments apart", async () => {
  assert.deepEqual(await resolver("/nowhere")("deno run  --quiet"), {
    command: Deno.execPath(),
    args: ["run", "--quiet"],
    needs: [],
    env: {},
  });
});

Deno.test("resolve() says so when the Deno for tools is none", async () => {
  const programs = createProgramResolver({ safeEnvironment: {}, denoPath: "/no/such/deno" });
  await assert.rejects(programs.resolve("deno run", { signal }), {
    code: "unavailable",
    message: /"\/no\/such\/deno" is no program/,
  });
});

Deno.test("resolve() asks for nothing more when a program is part of the system", async () => {
  const { command, needs, args } = await resolver("/usr/bin:/bin")("sh -e");
  assert.equal(command, await realpath("/bin/sh"));
  assert.deepEqual(needs, []);
  assert.deepEqual(args, ["-e"]);
});

Deno.test("resolve() takes an existing absolute path with blanks as a whole", async () => {
  await using dir = await tempDir();
  const path = join(dir.path, "my tool");
  await program(path, "#!/bin/sh\n");
  assert.equal((await resolver()(path)).command, path);
});

Deno.test("resolve() refuses relative paths and names what is missing", async () => {
  await assert.rejects(resolver()("./run.sh"), { code: "invalid_input" });
  await assert.rejects(resolver()("../bin/python3"), { code: "invalid_input" });
  await assert.rejects(resolver()(""), { code: "invalid_input" });
  await assert.rejects(resolver()("no-such-program-here"), { code: "unavailable", message: /not on PATH/ });
  await assert.rejects(resolver()("/no/such/program"), { code: "unavailable" });
});

Deno.test("resolve() names the interpreter behind a script's first line and what that needs", async () => {
  await using dir = await tempDir();
  await symlink("/bin/sh", join(dir.path, "mysh"));
  await program(join(dir.path, "wrapped"), `#!${join(dir.path, "mysh")}\necho hi\n`);
  await program(join(dir.path, "loop"), `#!${join(dir.path, "loop")}\n`);
  const { command, needs } = await resolver(dir.path)("wrapped");
  assert.equal(command, join(dir.path, "wrapped"));
  assert.ok(
    needs.includes(join(dir.path, "wrapped")) && needs.includes(join(dir.path, "mysh")),
    needs.join(),
  );
  assert.equal((await resolver(dir.path)("loop")).command, join(dir.path, "loop"));
});

Deno.test("resolve() looks behind a version manager's shim", async () => {
  await using dir = await tempDir();
  const root = join(dir.path, ".pyenv");
  for (const folder of ["shims", "bin", "versions/1/bin"]) {
    await mkdir(join(root, folder), { recursive: true });
  }
  await program(join(root, "versions/1/bin/thing"), "#!/bin/sh\n");
  await program(join(root, "shims/thing"), "#!/bin/sh\nexec slow\n");
  await program(
    join(root, "bin/pyenv"),
    `#!/bin/sh\n[ "$1" = which ] && echo "$PYENV_ROOT/versions/1/bin/$2"\n`,
  );
  const { command } = await resolver(`${join(root, "shims")}:${TEST_PATH}`)("thing");
  assert.equal(command, join(root, "versions/1/bin/thing"));
});

Deno.test("resolve() keeps what it found until the file changes", async () => {
  await using dir = await tempDir();
  const path = join(dir.path, "python3");
  const asked = join(dir.path, "asked");
  const text = `#!/bin/sh\necho x >> ${asked}\necho '["/usr/bin/env", "/opt/lib"]'\n`;
  await program(path, text);
  const resolve = resolver(`${dir.path}:/usr/bin:/bin`);
  const first = await resolve("python3");
  assert.equal(first.command, "/usr/bin/env");
  assert.deepEqual(first.needs, ["/opt/lib"]);
  assert.deepEqual(await resolve("python3"), first);
  assert.equal(await Deno.readTextFile(asked), "x\n");
  await Deno.remove(path);
  await program(path, text.replace("/opt/lib", "/opt/other"));
  assert.deepEqual((await resolve("python3")).needs, ["/opt/other"]);
});

Deno.test({
  name: "resolve() keeps a venv's Python as it is and shows the Python that it was made from",
  ignore: needs("python3"),
  async fn() {
    await using dir = await tempDir();
    const resolve = resolver();
    const base = await resolve("python3");
    const venv = join(dir.path, "venv");
    const args = ["-m", "venv", "--without-pip", venv];
    const made = await runProcess({ command: base.command, args, cwd: "/", env: {} }, { timeoutMs: 60_000 });
    assert.equal(made.code, 0, made.stderr);
    const { command, needs } = await resolve(join(venv, "bin/python"));
    assert.equal(command, join(venv, "bin/python"));
    assert.ok(needs.includes(join(venv, "lib")) && needs.includes(join(venv, "pyvenv.cfg")));
    for (const need of base.needs) assert.ok(needs.some((found) => found.startsWith(need)), need);
  },
});
