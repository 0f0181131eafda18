import { deepEqual, equal, match, ok } from "node:assert/strict";
import { dirname, join } from "node:path";
import { Bus, type ChangeEvent } from "../../src/base/bus.ts";
import { SkillStore } from "../../src/skills/skill_store.ts";
import { silentLogger } from "../support/silent_logger.ts";
import { tempDir } from "../support/temp_dir.ts";

Deno.test("SkillStore finds every layout to depth 6, in dot-folders too, and nothing in .git and node_modules", async () => {
  await using world = await makeWorld({
    "tools/repos/o/r/SKILL.md": skill("r"),
    "tools/repos/o/r/one/SKILL.md": skill("one"),
    "tools/repos/o/r/skills/two/SKILL.md": skill("two"),
    "tools/repos/o/r/.hidden/three/SKILL.md": skill("three"),
    "tools/repos/o/r/1/2/3/4/5/six/SKILL.md": skill("six"),
    "tools/repos/o/r/1/2/3/4/5/6/seven/SKILL.md": skill("seven"),
    "tools/repos/o/r/.git/no/SKILL.md": skill("no"),
    "tools/repos/o/r/a/node_modules/no/SKILL.md": skill("no"),
    "tools/mine/SKILL.md": skill("mine"),
    "work/.claude/skills/work-claude/SKILL.md": skill("work-claude"),
    "work/.gemini/skills/work-gemini/SKILL.md": skill("work-gemini"),
    "home/.codex/skills/home-codex/SKILL.md": skill("home-codex"),
  });
  deepEqual(await world.names(), [
    "home-codex",
    "mine",
    "one",
    "r",
    "six",
    "three",
    "two",
    "work-claude",
    "work-gemini",
  ]);
});

Deno.test("SkillStore follows no link that leaves a repository, and says so; one inside is read", async () => {
  await using world = await makeWorld({
    "outside/secret/SKILL.md": skill("secret"),
    "tools/repos/o/r/shared.md": skill("linked"),
    "tools/repos/o/r/good/SKILL.md": skill("good"),
  });
  const repo = join(world.path, "tools/repos/o/r");
  await Deno.symlink(join(world.path, "outside/secret"), join(repo, "folder"));
  await Deno.mkdir(join(repo, "file"));
  await Deno.symlink(join(world.path, "outside/secret/SKILL.md"), join(repo, "file/SKILL.md"));
  await Deno.mkdir(join(repo, "linked"));
  await Deno.symlink("../shared.md", join(repo, "linked/SKILL.md"));
  await Deno.symlink("good", join(repo, "again"));

  deepEqual(await world.names(), ["good", "linked"]);
  deepEqual(
    world.store.skipped().map(({ path, reason }) => [path.slice(repo.length + 1), /leaves/.test(reason)]),
    [["file/SKILL.md", true], ["folder", true]],
  );
});

Deno.test("B31 SkillStore leaves a name to the folder of that name, and keeps both", async () => {
  await using world = await makeWorld({
    "tools/repos/o/r/bird/SKILL.md": skill("bird", "the real one"),
    "tools/repos/o/r/bird-co/SKILL.md": skill("bird", "another"),
    "tools/repos/o/r/a-co/SKILL.md": skill("bird", "a third"),
  });
  deepEqual(await world.names(), ["bird", "o--r--bird", "r--bird"]);
  equal(world.store.get("bird")?.description, "the real one");
});

Deno.test("SkillStore gives equal names of two repositories stable names of their own", async () => {
  await using world = await makeWorld({
    "tools/repos/b/second/x/SKILL.md": skill("x", "of b"),
    "tools/repos/a/first/x/SKILL.md": skill("x", "of a"),
    // b was added before a.
    "tools/repos/.repos.json": JSON.stringify([
      { folder: "b/second", url: "file:///b", branch: "main", commit: "1" },
      { folder: "a/first", url: "file:///a", branch: "main", commit: "1" },
    ]),
  });
  deepEqual(await world.names(), ["first--x", "x"]);
  equal(world.store.get("x")?.description, "of b");
});

Deno.test("SkillStore gives no skill the name of a virtual skill, a built-in tool, or a tool", async () => {
  const tools = new Set(["tool"]);
  await using world = await makeWorld({
    "tools/repos/o/r/dev/SKILL.md": skill("dev"),
    "tools/repos/o/r/tool/SKILL.md": skill("tool"),
    "tools/repos/o/r/later/SKILL.md": skill("later"),
  }, { isTool: (name) => tools.has(name) });
  deepEqual(await world.names(), ["later", "r--dev", "r--tool"]);
  tools.add("later");
  world.bus.publish({ kind: "tool", change: "added", name: "later" });
  deepEqual(await world.names(), ["r--dev", "r--later", "r--tool"]);
  tools.delete("later");
  world.bus.publish({ kind: "tool", change: "removed", name: "later" });
  deepEqual(await world.names(), ["later", "r--dev", "r--tool"]);
});

Deno.test("SkillStore publishes what was added, changed and removed, and nothing else", async () => {
  await using world = await makeWorld({
    "tools/a/SKILL.md": skill("a"),
    "tools/b/SKILL.md": skill("b"),
    "tools/c/SKILL.md": skill("c"),
  });
  await world.names();
  deepEqual(world.events.map(({ change, name }) => `${change} ${name}`), ["added a", "added b", "added c"]);
  world.events.length = 0;
  await Deno.writeTextFile(join(world.path, "tools/a/SKILL.md"), skill("a", "a longer description"));
  await Deno.remove(join(world.path, "tools/b"), { recursive: true });
  await world.store.refresh();
  deepEqual(world.events.map(({ change, name }) => `${change} ${name}`), ["updated a", "removed b"]);
});

Deno.test("SkillStore loads what is sound beside what is broken, and tells the reasons", async () => {
  await using world = await makeWorld({
    "tools/good/SKILL.md": skill("good"),
    "tools/empty/SKILL.md": "",
    "tools/large/SKILL.md": `${skill("large")}${"x".repeat(1024 * 1024)}`,
  });
  deepEqual(await world.names(), ["good"]);
  const reasons = Object.fromEntries(
    world.store.skipped().map(({ path, reason }) => [path.slice(world.path.length + 7), reason]),
  );
  match(reasons["empty/SKILL.md"] ?? "", /is empty/);
  match(reasons["large/SKILL.md"] ?? "", /at most 1 MiB/);
  ok(Object.keys(reasons).length === 2);
});

function skill(name: string, description = `The skill ${name}`): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\nBody of ${name}\n`;
}

async function makeWorld(
  files: Readonly<Record<string, string>>,
  options: { isTool?: (name: string) => boolean } = {},
) {
  const dir = await tempDir();
  for (const [path, text] of Object.entries(files)) {
    await Deno.mkdir(dirname(join(dir.path, path)), { recursive: true });
    await Deno.writeTextFile(join(dir.path, path), text);
  }
  const bus = new Bus();
  const events: ChangeEvent[] = [];
  bus.subscribe((event) => void (event.kind === "skills" && events.push(event)));
  const path = await Deno.realPath(dir.path);
  const store = new SkillStore({
    toolsDir: join(path, "tools"),
    roots: [join(path, "work")],
    home: join(path, "home"),
    bus,
    logger: silentLogger,
    isReserved: (name) => name === "dev",
    isTool: options.isTool ?? (() => false),
  });
  return {
    path,
    store,
    bus,
    events: events as (ChangeEvent & { name: string; change: string })[],
    async names() {
      await store.ready();
      return store.list().map(({ name }) => name);
    },
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
}
