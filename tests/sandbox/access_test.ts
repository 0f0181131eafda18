import assert from "node:assert/strict";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type AccessRequest, resolveAccess } from "../../src/sandbox/access.ts";
import type { Access, Permissions } from "../../src/sandbox/permissions.ts";
import { tempDir } from "../support/temp_dir.ts";

/** A machine in a folder; `more` changes what is asked for. */
async function world(path: string): Promise<(more?: Partial<AccessRequest>) => Promise<Access>> {
  for (const name of ["work/out", "tools/mine/data", "tools/other", "scratch", "home/.ssh", "elsewhere"]) {
    await mkdir(join(path, name), { recursive: true });
  }
  return (more = {}) =>
    resolveAccess({
      permissions: {},
      defaultProfile: { read: ["$ROOTS"] },
      roots: [join(path, "work")],
      toolDirectory: join(path, "tools/mine"),
      scratch: join(path, "scratch"),
      home: join(path, "home"),
      toolsDir: join(path, "tools"),
      sandboxNetwork: false,
      ...more,
    });
}

/** Asserts that these permissions are refused with a text that holds `text`. */
async function refuses(access: () => Promise<Access>, { code, text }: { code: string; text: string }) {
  await assert.rejects(access, (error: Error & { code?: string }) => {
    assert.equal(error.code, code, error.message);
    assert.ok(error.message.includes(text), error.message);
    return true;
  });
}

Deno.test("resolveAccess() grants only the tool's folder and its scratch when permissions are empty", async () => {
  await using dir = await tempDir();
  const access = await (await world(dir.path))();
  assert.deepEqual(access, {
    net: [],
    read: [join(dir.path, "tools/mine")],
    write: [join(dir.path, "scratch")],
    run: [],
    sys: [],
    ffi: false,
    import: [],
  });
});

Deno.test("resolveAccess() takes the default profile and SKILLZ_SANDBOX_NETWORK when there are no permissions", async () => {
  await using dir = await tempDir();
  const resolve = await world(dir.path);
  const bare = await resolve({ permissions: undefined, sandboxNetwork: true });
  assert.equal(bare.net, true);
  assert.ok(bare.read.includes(join(dir.path, "work")));
  const given = await resolve({ permissions: {}, sandboxNetwork: true });
  assert.deepEqual(given.net, []);
});

Deno.test("resolveAccess() replaces placeholders, sorts, drops repetitions and what another grant holds", async () => {
  await using dir = await tempDir();
  const at = (name: string) => join(dir.path, name);
  const permissions: Permissions = {
    read: ["$ROOTS", "$ROOTS/out", at("work"), "$HOME/docs", at("elsewhere")],
    write: ["$ROOTS/out", "$TMP", "$TOOL/data"],
    run: ["git", "git"],
  };
  const access = await (await world(dir.path))({ permissions });
  assert.deepEqual(access.read, [at("elsewhere"), at("home/docs"), at("tools/mine"), at("work")]);
  assert.deepEqual(access.write, [at("scratch"), at("tools/mine/data"), at("work/out")]);
  assert.deepEqual(access.run, ["git"]);
});

Deno.test("resolveAccess() follows links of absolute grants and resolves the parent of what is missing", async () => {
  await using dir = await tempDir();
  const at = (name: string) => join(dir.path, name);
  const resolve = await world(dir.path);
  await symlink(at("elsewhere"), at("link"));
  const access = await resolve({ permissions: { read: [at("link")], write: [at("link/new/deep.txt")] } });
  assert.ok(access.read.includes(at("elsewhere")));
  assert.ok(access.write.includes(at("elsewhere/new/deep.txt")));
});

Deno.test("resolveAccess() refuses a planted link that leads out of its placeholder", async () => {
  await using dir = await tempDir();
  const resolve = await world(dir.path);
  await symlink("/etc", join(dir.path, "work/planted"));
  await symlink(join(dir.path, "work/out"), join(dir.path, "work/inside"));
  await symlink(join(dir.path, "nowhere"), join(dir.path, "work/dangling"));
  for (const name of ["planted", "planted/passwd"]) {
    await refuses(() => resolve({ permissions: { read: [`$ROOTS/${name}`] } }), {
      code: "denied",
      text: "leads out",
    });
  }
  await refuses(() => resolve({ permissions: { write: ["$ROOTS/dangling"] } }), {
    code: "denied",
    text: "links",
  });
  const access = await resolve({ permissions: { read: ["$ROOTS/inside"] } });
  assert.ok(access.read.includes(join(dir.path, "work/out")));
});

Deno.test("resolveAccess() refuses `..`, relative paths, unknown placeholders and NUL, and names the field", async () => {
  await using dir = await tempDir();
  const resolve = await world(dir.path);
  for (const path of ["$ROOTS/../home", "$TOOL/../other", "$TMP/../work"]) {
    await refuses(() => resolve({ permissions: { read: [path] } }), {
      code: "denied",
      text: "permissions.read",
    });
  }
  for (const path of ["work", "../x", "$NOPE/x", "$ROOTSX", "", "/a\0b", "$ROOTS/a\0b"]) {
    await refuses(() => resolve({ permissions: { write: [path] } }), {
      code: "invalid_input",
      text: "permissions.write",
    });
  }
  const access = await resolve({ permissions: { read: ["$ROOTS/out/../out"] } });
  assert.ok(access.read.includes(join(dir.path, "work/out")));
});

Deno.test("resolveAccess() refuses the memory, other tools, and the kernel's interfaces", async () => {
  await using dir = await tempDir();
  const at = (name: string) => join(dir.path, name);
  const resolve = await world(dir.path);
  await writeFile(at("tools/.memory.db"), "");
  for (
    const path of [at("tools/.memory.db"), at("tools/other"), at("tools"), "/proc/1", "/sys", "/dev/sda"]
  ) {
    await refuses(() => resolve({ permissions: { read: [path] } }), { code: "denied", text: path });
  }
  const access = await resolve({ permissions: { read: [at("tools/mine/data")] } });
  assert.deepEqual(access.read, [at("tools/mine")]);
});

Deno.test("resolveAccess() lets no tool write what makes it up, only folders of its own", async () => {
  await using dir = await tempDir();
  const resolve = await world(dir.path);
  for (const path of ["$TOOL", "$TOOL/manifest.json", "$TOOL/.versions/1.0.0", "$TOOL/env"]) {
    await refuses(() => resolve({ permissions: { write: [path] } }), {
      code: "denied",
      text: "change itself",
    });
  }
  const access = await resolve({ permissions: { write: ["$TOOL/data"] } });
  assert.ok(access.write.includes(join(dir.path, "tools/mine/data")));
});

Deno.test("resolveAccess() hides TOOLS_DIR and credentials in a workspace that holds them, but not the tool itself", async () => {
  await using dir = await tempDir();
  const at = (name: string) => join(dir.path, name);
  const resolve = await world(dir.path);
  await writeFile(at("tools/.memory.db"), "");
  const access = await resolve({ permissions: { write: ["$ROOTS"] }, roots: [dir.path] });
  assert.deepEqual(access.hidden, [at("home/.ssh"), at("tools")]);
  assert.deepEqual(access.denied, [at("home/.ssh"), at("tools/.memory.db"), at("tools/other")]);
  assert.deepEqual(access.read, [at("tools/mine")]);
  assert.deepEqual(access.write, [dir.path]);
});

Deno.test("resolveAccess() counts a workspace that is TOOLS_DIR as empty instead of failing each tool", async () => {
  await using dir = await tempDir();
  const resolve = await world(dir.path);
  const access = await resolve({ permissions: undefined, roots: [join(dir.path, "tools")] });
  assert.deepEqual(access.read, [join(dir.path, "tools/mine")]);
});

Deno.test("resolveAccess() shows credentials that a manifest names itself", async () => {
  await using dir = await tempDir();
  const resolve = await world(dir.path);
  const access = await resolve({
    permissions: { read: ["$ROOTS", "$HOME/.ssh"] },
    roots: [join(dir.path, "home")],
  });
  assert.equal(access.hidden, undefined);
});
