import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { execFileSync } from "node:child_process";
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { errorText } from "../../src/base/errors.ts";
import { resultText } from "../../src/base/tool_result.ts";
import { type GitRepo, gitRepo } from "../support/git_repo.ts";
import { needs } from "../support/needs.ts";
import { tempDir } from "../support/temp_dir.ts";
import { type TestApp, testApp } from "../support/test_app.ts";

const SKILL = (name: string) => `---\nname: ${name}\ndescription: d\n---\nBody of ${name}.\n`;

/** Makes git objects that git itself would not: each entry of a tree as it is given. */
function plant(repo: GitRepo, entries: readonly { mode: string; path: string; text: string }[]): void {
  const hash = (type: string, data: Uint8Array | string) =>
    execFileSync("git", ["hash-object", "-t", type, "-w", "--stdin", "--literally"], {
      cwd: repo.path,
      input: data,
      encoding: "utf8",
    }).trim();
  const tree = Buffer.concat(
    entries.map(({ mode, path, text }) =>
      Buffer.concat([
        Buffer.from(`${mode} ${path}\0`),
        Buffer.from(hash("blob", text), "hex"),
      ])
    ),
  );
  const id = hash("tree", tree);
  const commit =
    `tree ${id}\nauthor A <a@example.com> 1700000000 +0000\ncommitter A <a@example.com> 1700000000 +0000\n\nx\n`;
  execFileSync("git", ["update-ref", "refs/heads/main", hash("commit", commit)], { cwd: repo.path });
}

async function add(app: TestApp, url: string): Promise<string> {
  try {
    return resultText(await app.call("add_skill_repo", { url }));
  } catch (error) {
    return errorText(error);
  }
}

const around = async (app: TestApp) =>
  (await readdir(join(app.root, ".."), { recursive: true })).filter((name) => name.includes("escaped"))
    .sort();

Deno.test({
  name: "a repository with names that lead out writes nothing outside, and an ordinary one is added",
  ignore: needs("git"),
  async fn() {
    await using app = await testApp();
    await using fine = await gitRepo({ "good/SKILL.md": SKILL("good") });
    assert.match(await add(app, fine.url), /^Added repo/);
    const text = SKILL("escaped");
    const evil = "#!/bin/sh\ntouch ../../../escaped\n";
    const trees = [
      [{ mode: "100644", path: "../escaped", text }],
      [{ mode: "100644", path: "..", text }],
      [{ mode: "100644", path: "a/../../../escaped", text }],
      [{ mode: "100644", path: "/tmp/escaped", text }],
      [{ mode: "100755", path: ".git/hooks/post-checkout", text: evil }],
      [{ mode: "100755", path: ".GIT/hooks/post-checkout", text: evil }],
      [{ mode: "100644", path: "GIT~1/config", text: "[core]\n\tfsmonitor = touch escaped\n" }],
      // A link, and a file "in" it.
      [{ mode: "120000", path: "link", text: "../../.." }, { mode: "100644", path: "link/escaped", text }],
    ];
    for (const [i, tree] of trees.entries()) {
      await using repo = await gitRepo({ "x/SKILL.md": SKILL(`x${i}`) });
      plant(repo, [...tree, { mode: "100644", path: "SKILL.md", text: SKILL(`root${i}`) }]);
      await add(app, repo.url);
      // In the folder of the repository it may write what it likes.
      const outside = (await around(app)).filter((name) => !/^tools\/repos\/[^/]+\/[^/]+\//.test(name));
      assert.deepEqual(outside, [], JSON.stringify(tree));
    }
    assert.deepEqual(
      app.app.skills.list().map(({ name }) => name).filter((name) => /escaped/.test(name)),
      [],
    );
  },
});

Deno.test({
  name: "hooks, filters and submodules of a repository run nothing when it is added",
  ignore: needs("git"),
  async fn() {
    await using app = await testApp();
    await using repo = await gitRepo({ "good/SKILL.md": SKILL("guarded") });
    const command = `touch ${join(app.root, "..", "escaped")}`;
    await repo.commit({
      ".gitattributes": "* filter=evil diff=evil merge=evil\n",
      ".gitmodules": `[submodule "x"]\n\tpath = x\n\turl = ext::sh -c "${command}"\n\tupdate = !${command}\n`,
    });
    // What the repository itself is configured with, on the side of whoever serves it.
    await repo.git("config", "filter.evil.smudge", command);
    await repo.git("config", "core.fsmonitor", command);
    for (const hook of ["post-checkout", "post-merge", "post-rewrite", "reference-transaction"]) {
      await writeFile(join(repo.path, ".git/hooks", hook), `#!/bin/sh\n${command}\n`, { mode: 0o755 });
    }
    assert.match(await add(app, repo.url), /^Added repo/);
    assert.deepEqual(await around(app), []);
    assert.ok(app.app.skills.get("guarded"));
  },
});

Deno.test({
  name: "links of a repository lead to no secret: not as a skill, not as its folder, not as a file beside it",
  ignore: needs("git"),
  async fn() {
    await using app = await testApp();
    await using outside = await tempDir();
    await mkdir(join(outside.path, "skill"));
    await writeFile(join(outside.path, "skill/SKILL.md"), SKILL("stolen"));
    await using repo = await gitRepo({ "good/SKILL.md": SKILL("honest"), "good/notes.md": "notes" });
    await symlink(join(outside.path, "skill"), join(repo.path, "folder"));
    await mkdir(join(repo.path, "file"));
    await symlink(join(outside.path, "skill/SKILL.md"), join(repo.path, "file/SKILL.md"));
    await symlink("../good", join(repo.path, "good/again"));
    await repo.commit({});
    assert.match(await add(app, repo.url), /^Added repo/);
    assert.deepEqual(app.app.skills.list().map(({ name }) => name), ["honest"]);
    assert.match(await readFile(join(outside.path, "skill/SKILL.md"), "utf8"), /stolen/);
  },
});
