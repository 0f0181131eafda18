import assert from "node:assert/strict";
import { join } from "node:path";
import { type TempDir, tempDir } from "../support/temp_dir.ts";
import { draft, handMade, names, openStore, snapshot, write } from "./_support.ts";

/** A TOOLS_DIR with a canary beside it, and what the canary looked like. */
async function canary(dir: TempDir) {
  const outside = join(dir.path, "canary");
  await write(outside, {
    "manifest.json": JSON.stringify({
      name: "canary",
      description: "d",
      tool_type: "script",
      interpreter: "bash",
    }),
    "canary.sh": "echo secret",
    "deep/file.txt": "secret",
  });
  return { root: join(dir.path, "tools"), outside, before: await snapshot(outside) };
}

const NAMES = [
  "../canary",
  "../../etc",
  "/etc",
  "a/../../canary",
  "C:\\x",
  ".",
  "..",
  "",
  "a\0b",
  "CON",
  "-rf",
  ".versions",
  ".staging",
  "__proto__",
  "services",
  "repos",
];

for (const name of NAMES) {
  Deno.test(`B49 no operation of the store takes the name ${JSON.stringify(name)}`, async () => {
    await using dir = await tempDir();
    const { root, outside, before } = await canary(dir);
    await write(join(root, "services"), { "db.json": "{}" });
    await write(join(root, "repos"), { "r/SKILL.md": "" });
    await using opened = await openStore(root);
    const { store } = opened;
    const there = await snapshot(root);
    await assert.rejects(() => store.save(draft(name, "echo")), { code: /^(?:invalid_input|conflict)$/ });
    await assert.rejects(() => store.save(draft(name, "echo"), { overwrite: true }));
    await assert.rejects(() => store.remove(name), { code: /^(?:invalid_input|not_found)$/ });
    await assert.rejects(() => store.versions(name), { code: "not_found" });
    await assert.rejects(() => store.version(name, "1.0.0"), { code: "not_found" });
    await assert.rejects(() => store.rollback(name, "1.0.0"), { code: "not_found" });
    await store.refresh(name);
    assert.equal(store.get(name), undefined);
    assert.deepEqual(await snapshot(outside), before);
    const { ".index.json": _index, ".lock": _lock, ...now } = await snapshot(root);
    const { ".index.json": _old, ...then } = there;
    assert.deepEqual(now, then);
  });
}

Deno.test("B49 save() refuses files that leave the folder or are the store's own, and takes ordinary ones", async () => {
  await using dir = await tempDir();
  const { root, outside, before } = await canary(dir);
  await using opened = await openStore(root);
  const paths = [
    "../canary/canary.sh",
    "/tmp/x.sh",
    "a/../../b",
    "./a",
    "a//b",
    "C:\\x",
    "C:/x",
    "a\\b",
    "a\0b",
    "a\nb",
    "",
    "manifest.json",
    "env/bin/python",
    ".versions/1.0.0/x.sh",
    "versions/1.0.0/x.sh",
    "x".repeat(300),
  ];
  for (const path of paths) {
    const { manifest, files } = draft("x", "echo");
    await assert.rejects(
      () => opened.store.save({ manifest, files: { ...files, [path]: "1" } }),
      { code: "invalid_input" },
      path,
    );
  }
  for (const entry_file of ["../canary/canary.sh", "/etc/passwd", "manifest.json", "gone.sh"]) {
    await assert.rejects(() => opened.store.save(draft("x", "echo", { entry_file })), {
      code: "invalid_input",
    });
  }
  assert.deepEqual(await names(root), [".lock", ".staging"]);
  assert.deepEqual(await names(join(root, ".staging")), []);
  assert.deepEqual(await snapshot(outside), before);
  const { manifest, files } = draft("x", "echo");
  const fine = { "lib/a.sh": "1", ".hidden": "2", "päth with blank/ü.txt": "3", "SKILL.md": "4" };
  const tool = await opened.store.save({ manifest, files: { ...files, ...fine } });
  for (const [path, text] of Object.entries(fine)) {
    assert.equal(await Deno.readTextFile(join(tool.directory, path)), text);
  }
});

Deno.test("B50 a link in TOOLS_DIR is reported, not followed, and removed without what it leads to", async () => {
  await using dir = await tempDir();
  const { root, outside, before } = await canary(dir);
  await Deno.mkdir(root);
  await Deno.symlink(outside, join(root, "canary"));
  await Deno.symlink("/etc", join(root, "etc"));
  await Deno.symlink("/nowhere", join(root, "nowhere"));
  await using opened = await openStore(root);
  assert.deepEqual(opened.store.list(), []);
  assert.deepEqual(opened.store.broken().map(({ folder }) => folder), ["canary", "etc", "nowhere"]);
  for (const { reason } of opened.store.broken()) assert.match(reason, /is a link, must be a folder/);
  await assert.rejects(() => opened.store.save(draft("canary", "echo")), { code: "conflict" });
  await assert.rejects(() => opened.store.save(draft("canary", "echo"), { overwrite: true }), {
    code: "conflict",
  });
  assert.deepEqual(await snapshot(outside), before);
  for (const name of ["canary", "etc", "nowhere"]) await opened.store.remove(name);
  assert.deepEqual(opened.store.broken(), []);
  assert.deepEqual(await snapshot(outside), before);
  assert.ok((await Deno.stat("/etc/passwd")).isFile);
});

const LINKS: [what: string, path: string, target: string][] = [
  ["its entry file", "x.sh", "../../canary/canary.sh"],
  ["its manifest", "manifest.json", "../../canary/manifest.json"],
  ["a file beside the code", "data.txt", "/etc/passwd"],
  ["a folder", "lib", "../../canary"],
  ["a climb through another link", "deep/far", "near/../../../canary"],
];

for (const [what, path, target] of LINKS) {
  Deno.test(`B50 a tool with a link out of its folder as ${what} is broken`, async () => {
    await using dir = await tempDir();
    const { root, outside, before } = await canary(dir);
    const folder = await handMade(root, "x");
    await Deno.mkdir(join(folder, "deep"));
    await Deno.remove(join(folder, path)).catch(() => {});
    await Deno.symlink(target, join(folder, path));
    await using opened = await openStore(root);
    assert.equal(opened.store.get("x"), undefined);
    assert.match(opened.store.broken()[0]?.reason ?? "", /link/);
    await opened.store.remove("x");
    assert.deepEqual(await snapshot(outside), before);
  });
}

Deno.test("B50 a tool with a link inside its folder loads, and keeps it in its versions", async () => {
  await using dir = await tempDir();
  const { root } = await canary(dir);
  const folder = await handMade(root, "x");
  await write(folder, { "lib/real.sh": "1" });
  await Deno.symlink("../lib/real.sh", join(folder, "lib", "again.sh"));
  await using opened = await openStore(root);
  assert.deepEqual(opened.store.broken(), []);
  await opened.store.save(draft("x", "echo 2"), { overwrite: true });
  const old = await opened.store.version("x", "1.0.0");
  assert.equal(await Deno.readTextFile(join(old.directory, "lib", "again.sh")), "1");
  assert.equal(await Deno.readLink(join(old.directory, "lib", "again.sh")), "../lib/real.sh");
});

Deno.test("B50 remove() takes versions and environment, and does not follow links in them", async () => {
  await using dir = await tempDir();
  const { root, outside, before } = await canary(dir);
  await using opened = await openStore(root);
  const tool = await opened.store.save(draft("x", "echo"));
  await Deno.mkdir(join(tool.directory, "env"));
  await Deno.symlink(outside, join(tool.directory, "env", "link"));
  await Deno.symlink(outside, join(root, "x", "env"));
  await opened.store.remove("x");
  assert.deepEqual(opened.events.at(-1), { kind: "tool", change: "removed", name: "x" });
  assert.deepEqual(await snapshot(outside), before);
  assert.deepEqual(await names(join(root, ".staging")), []);
  assert.ok(!(await names(root)).includes("x"));
  await assert.rejects(() => opened.store.remove("x"), { code: "not_found" });
});

Deno.test("B50 versions that are a link lead nowhere, also for a journal left behind", async () => {
  await using dir = await tempDir();
  const { root, outside, before } = await canary(dir);
  const folder = await handMade(root, "x");
  await Deno.symlink(outside, join(folder, ".versions"));
  await write(join(root, ".staging"), {
    "x.commit": JSON.stringify({ version: "1.0.0", staged: "../../canary" }),
    "..commit": JSON.stringify({ version: "1.0.0" }),
  });
  await using opened = await openStore(root);
  assert.deepEqual((await opened.store.versions("x")).map((info) => info.version), ["1.0.0"]);
  await assert.rejects(() => opened.store.save(draft("x", "echo 2"), { overwrite: true }));
  assert.deepEqual(await snapshot(outside), before);
});

Deno.test("B50 a staging folder that is a link is neither swept nor written to", async () => {
  await using dir = await tempDir();
  const { root, outside } = await canary(dir);
  const old = `x.${crypto.randomUUID()}`;
  await write(outside, { [`${old}/file`]: "mine", "x.commit": JSON.stringify({ version: "1.0.0" }) });
  const long = new Date(Date.now() - 7 * 24 * 60 * 60 * 1000);
  await Deno.utime(join(outside, old), long, long);
  const before = await snapshot(outside);
  await handMade(root, "x");
  await Deno.symlink(outside, join(root, ".staging"));
  await using opened = await openStore(root);
  assert.equal(opened.store.get("x")?.name, "x");
  for (const save of [{}, { overwrite: true }]) {
    await assert.rejects(() => opened.store.save(draft("x", "echo"), save), { code: "denied" });
  }
  await assert.rejects(() => opened.store.remove("x"), { code: "denied" });
  assert.deepEqual(await snapshot(outside), before);
});

Deno.test("load() removes what servers left half-made long ago, and nothing that may be in use", async () => {
  await using dir = await tempDir();
  const staging = join(dir.path, ".staging");
  const [old, young] = [`x.${crypto.randomUUID()}`, `x.${crypto.randomUUID()}`];
  await write(staging, { [`${old}/a/b`]: "1", [`${young}/a`]: "1", "notes/a": "1" });
  const long = new Date(Date.now() - 25 * 60 * 60 * 1000);
  for (const name of [old, "notes"]) await Deno.utime(join(staging, name), long, long);
  await using _opened = await openStore(dir.path);
  assert.deepEqual(await names(staging), ["notes", young].sort());
});
