import { deepEqual, throws } from "node:assert/strict";
import { parseRepositoryUrl } from "../../src/skills/repository_url.ts";

Deno.test("B25 parseRepositoryUrl() reads addresses as people copy them", () => {
  const github = { url: "https://github.com/o/r", owner: "o", name: "r" };
  for (
    const [given, wanted] of [
      ["https://github.com/o/r", github],
      ["https://github.com/o/r/", github],
      ["  https://github.com/o/r\n", github],
      ["https://github.com/o/r.git", { ...github, url: "https://github.com/o/r.git" }],
      ["https://github.com/o/r/tree/main/skills/x", { ...github, tree: "main/skills/x" }],
      ["https://github.com/o/r/tree/feat/x-y", { ...github, tree: "feat/x-y" }],
      ["https://github.com/o/r/blob/main/x/SKILL.md", { ...github, tree: "main/x/SKILL.md" }],
      ["https://gitlab.com/g/s/r/-/tree/main", {
        url: "https://gitlab.com/g/s/r",
        owner: "s",
        name: "r",
        tree: "main",
      }],
      ["git@github.com:o/r.git", { url: "git@github.com:o/r.git", owner: "o", name: "r" }],
      ["ssh://git@host:2222/o/r.git", { url: "ssh://git@host:2222/o/r.git", owner: "o", name: "r" }],
      ["file:///srv/git/r.git", { url: "file:///srv/git/r.git", owner: "git", name: "r" }],
      ["file:///a/tree/r", { url: "file:///a/tree/r", owner: "tree", name: "r" }],
      ["http://127.0.0.1:8080/r.git", { url: "http://127.0.0.1:8080/r.git", owner: "local", name: "r" }],
    ] as const
  ) deepEqual(parseRepositoryUrl(given), wanted, given);
});

Deno.test("parseRepositoryUrl() refuses what could run a program, leak, or be tampered with", () => {
  for (
    const [given, why] of [
      ["ext::sh -c touch% /tmp/x", /blanks/],
      ["ext::sh", /not supported/],
      ["--upload-pack=touch", /no URL/],
      ["-oProxyCommand=x@host:o/r", /no URL|not supported/],
      ["git@-oProxyCommand=x:o/r", /no URL|not supported/],
      ["ssh://-oProxyCommand=x/o/r", /host|no URL/],
      ["https://user:secret@github.com/o/r", /name or password/],
      ["https://token@github.com/o/r", /name or password/],
      ["http://example.com/o/r", /use https/],
      ["git://example.com/o/r", /not supported/],
      ["file://host/o/r", /three slashes/],
      ["https://github.com/", /names no repository/],
      ["/srv/git/r", /no URL/],
      ["o/r", /no URL/],
      ["", /no URL/],
    ] as const
  ) throws(() => parseRepositoryUrl(given), { name: "SkillzError", message: why }, given);
});

Deno.test("parseRepositoryUrl() makes folder names that can't leave their place", () => {
  const { owner, name } = parseRepositoryUrl("https://host/%2e%2e/%2e%2e%2fx.git");
  deepEqual([owner, name], ["local", "x"]);
});
