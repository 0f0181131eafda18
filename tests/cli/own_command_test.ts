import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { shellWord } from "../../src/cli/own_command.ts";

Deno.test("shellWord() leaves a plain path as it is, and a shell takes every other one for one word", {
  ignore: Deno.build.os === "windows",
}, () => {
  assert.equal(shellWord("/home/ada/.skillz/tools/a_tool-1"), "/home/ada/.skillz/tools/a_tool-1");
  for (const path of ["/a b/c", "/it's/here", "/$HOME/`x`", '/"q"/\\', "/ü/ö ä", "/a;b&c|d", ""]) {
    assert.equal(execFileSync("sh", ["-c", `printf %s ${shellWord(path)}`], { encoding: "utf8" }), path);
  }
});
