import { deepEqual, equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { resultText } from "../../src/base/tool_result.ts";
import { fakeCaller, fakeContext } from "../support/fake_caller.ts";
import { gitRepo } from "../support/git_repo.ts";
import { needs } from "../support/needs.ts";
import { testApp } from "../support/test_app.ts";

const ignore = needs("git");
const skill = (name: string, more = "") =>
  `---\nname: ${name}\ndescription: About ${name}\n---\nText${more}\n`;

Deno.test({
  name: "B25 add_skill_repo takes the remote's default branch, and names the branches when one is unknown",
  ignore,
  async fn() {
    await using repo = await gitRepo({ "one/SKILL.md": skill("one") }, { branch: "master" });
    await using test = await testApp();
    const wrong = await test.call("add_skill_repo", { url: repo.url, branch: "main" }).catch(String);
    match(text(wrong), /main.*the repository has master/);
    match(
      text(await test.call("add_skill_repo", { url: `${repo.url}/` })),
      /^Added repo '.*' with 1 skill: one/,
    );
    await repo.git("checkout", "--quiet", "-b", "feat/x-y");
    await repo.commit({ "two/SKILL.md": skill("two") });
    match(
      text(await test.call("add_skill_repo", { url: repo.url, branch: "feat/x-y" })),
      /^Updated.*one, two/,
    );
    deepEqual(await leftovers(test.toolsDir), []);
  },
});

Deno.test({
  name: "B25 add_skill_repo follows /tree/BRANCH/PATH where both hold slashes",
  ignore,
  async fn() {
    await using repo = await gitRepo({ "a/one/SKILL.md": skill("one"), "b/two/SKILL.md": skill("two") });
    await repo.git("branch", "feat/x");
    const bare = `${repo.path}/bare.git`;
    await repo.git("clone", "--quiet", "--bare", repo.path, bare);
    await using test = await testApp();
    const data = await test.data("add_skill_repo", { url: `file://${bare}/tree/feat/x/b` });
    deepEqual([data.branch, data.skills], ["feat/x", ["two"]]);
    const missing = await test.call("add_skill_repo", { url: `file://${bare}/tree/feat/x/none` }).catch(
      String,
    );
    match(text(missing), /no folder "none"/);
    deepEqual(test.app.skills.list().map(({ name }) => name), ["two"]);
  },
});

Deno.test({
  name:
    "B25 add_skill_repo says that a repository is empty, or not there, or holds no skill, and leaves nothing",
  ignore,
  async fn() {
    await using empty = await gitRepo();
    await using none = await gitRepo({ "README.md": "x", "y/SKILL.md": "---\nname: y\n---\n" });
    await using test = await testApp();
    match(text(await test.call("add_skill_repo", { url: empty.url }).catch(String)), /is empty/);
    match(
      text(await test.call("add_skill_repo", { url: none.url }).catch(String)),
      /no skill.*no description/,
    );
    match(
      text(await test.call("add_skill_repo", { url: "file:///nowhere/x" }).catch(String)),
      /no repository/,
    );
    deepEqual(await leftovers(test.toolsDir), []);
  },
});

Deno.test({
  name: "B31 add_skill_repo tells names that were taken, names that are missing, and what was skipped",
  ignore,
  async fn() {
    await using repo = await gitRepo({
      "bird/SKILL.md": skill("bird"),
      "bird-co/SKILL.md": skill("bird", " other"),
      "x/SKILL.md": "---\ndescription: About x\n---\n",
      "y/SKILL.md": "---\nname: y\n---\n",
      "z/SKILL.md": "",
    });
    await using test = await testApp();
    const answer = text(await test.call("add_skill_repo", { url: repo.url }));
    match(answer, /with 3 skills: bird, .*--bird, x\n/);
    match(answer, /Skipped y\/SKILL.md: it has no description/);
    match(answer, /Skipped z\/SKILL.md: it is empty/);
    match(answer, /Warning for x: it has no name/);
    equal(test.app.skills.get("bird")?.folder, "bird");
  },
});

Deno.test({
  name: "add_skill_repo fetches only folders with skills, one commit deep, and updates to the newest state",
  ignore,
  async fn() {
    await using repo = await gitRepo({
      "s/one/SKILL.md": skill("one"),
      "s/one/ref.md": "R",
      "big/data.bin": "B",
    });
    await repo.commit({ "README.md": "x" });
    await using test = await testApp();
    const caller = fakeCaller();
    const result = await test.call("add_skill_repo", { url: repo.url }, fakeContext({ caller }));
    const { owner, repo: name } = result.structuredContent ?? {};
    const place = join(test.toolsDir, "repos", String(owner), String(name));
    ok(await isThere(join(place, "s/one/ref.md")));
    ok(!await isThere(join(place, "big/data.bin")));
    equal((await Deno.readTextFile(join(place, ".git/shallow"))).trim().length, 40);
    ok(caller.progressed.length >= 3);
    await repo.git("rm", "-r", "--quiet", "s");
    await repo.commit({ "t/two/SKILL.md": skill("two") });
    deepEqual((await test.data("add_skill_repo", { url: repo.url })).skills, ["two"]);
    ok(!await isThere(join(place, "s")));
  },
});

Deno.test({
  name: "B26 add_skill_repo ends at its timeout, names size, network and authentication, and stays usable",
  ignore,
  async fn() {
    const over = new AbortController();
    await using host = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      () => new Promise((resolve) => over.signal.addEventListener("abort", () => resolve(new Response("")))),
    );
    await using test = await testApp();
    const url = `http://127.0.0.1:${host.addr.port}/o/r`;
    const late = test.call("add_skill_repo", { url, timeout: 0.5 });
    match(text(await test.call("list_tools", { query: "add_skill_repo", detail: "full" })), /"timeout"/);
    const answer = text(await late);
    match(answer, /git took longer than 0\.5 s\. Either the size .* network .* authentication/);
    match(answer, /give a greater timeout \(in seconds\)/);
    match(text(await test.call("add_skill_repo", { url, timeout: 0 })), /timeout: must be >0/);
    deepEqual(await leftovers(test.toolsDir), []);
    over.abort();
  },
});

Deno.test({
  name: "B23 add_skill_repo names authentication when the host wants it, the network when there is no host",
  ignore,
  async fn() {
    await using host = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      () => new Response("who?", { status: 401, headers: { "www-authenticate": 'Basic realm="x"' } }),
    );
    await using test = await testApp();
    const denied = await test.call("add_skill_repo", { url: `http://127.0.0.1:${host.addr.port}/o/r` })
      .catch(String);
    match(text(denied), /authentication/);
    const away = await test.call("add_skill_repo", { url: "http://127.0.0.1:1/o/r" }).catch(String);
    match(text(away), /network failed/);
    const ssh = await test.call("add_skill_repo", { url: "ssh://127.0.0.1:1/x" }).catch(String);
    match(text(ssh), /Cannot reach the repository/);
  },
});

function text(result: Awaited<ReturnType<Awaited<ReturnType<typeof testApp>>["call"]>> | string): string {
  return typeof result === "string" ? result : resultText(result);
}

/** Folders of repositories and of work that there are. */
async function leftovers(toolsDir: string): Promise<string[]> {
  const entries = await Array.fromAsync(Deno.readDir(join(toolsDir, "repos", ".staging")));
  return entries.map(({ name }) => name);
}

async function isThere(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}
