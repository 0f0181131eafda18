import { deepEqual, equal, match } from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isJsonObject, type JsonObject } from "../../src/base/json.ts";
import type { SandboxMode } from "../../src/base/sandbox_mode.ts";
import { resultText } from "../../src/base/tool_result.ts";
import type { Permissions } from "../../src/sandbox/permissions.ts";
import { needs } from "../support/needs.ts";
import { bench, testCaller, testContext } from "./_fixture.ts";

/** Tells what it sees. */
const LOOKS = `
from skillz import *
import os

@tool
def main(files):
    def can(path):
        try: return open(path).read()
        except OSError as error: return type(error).__name__
    return {
        "env": dict(os.environ), "context": context["environment"], "cwd": os.getcwd(), "place": context["working_directory"],
        "home": os.environ["HOME"], "files": {path: can(path) for path in files}, "roots": context["roots"],
        "wrote": bool(open(os.path.join(os.environ["HOME"], "x"), "w").write("x")),
    }
`;

const MODES: readonly [SandboxMode, boolean][] = [
  ["none", needs("python3")],
  ["bubblewrap", needs("python3", "bwrap")],
];

for (const [mode, ignore] of MODES) {
  Deno.test({
    name:
      `B46 ${mode}: a script sees the safe list and its secrets, a home of its own, and nothing of the server`,
    ignore,
    async fn() {
      await using place = await bench({ sandbox: mode, secrets: { SKILLZ_KEY: "k", SKILLZ_OTHER: "o" } });
      const tool = await place.tool("looks", {
        interpreter: "python3",
        extension: "py",
        code: LOOKS,
        manifest: { env: ["SKILLZ_KEY"] },
      });
      const result = await place.call(tool, { files: [] });
      const seen = result.structuredContent ?? {};
      equal(result.isError, undefined, resultText(result));
      deepEqual(Object.keys(isJsonObject(seen.context) ? seen.context : {}).sort(), [
        "HOME",
        "LANG",
        "PATH",
        "SKILLZ_KEY",
        "TMPDIR",
      ]);
      const env = isJsonObject(seen.env) ? seen.env : {};
      equal(env.SKILLZ_KEY, "k");
      const known =
        /^(HOME|LANG|PATH|TMPDIR|SKILLZ_(KEY|PROCESS)|PYTHON\w+|RUBYLIB|LC_CTYPE|PWD|SHLVL|_|container)$/;
      deepEqual(Object.keys(env).filter((name) => !known.test(name)), []);
      equal(seen.wrote, true);
    },
  });

  const access: readonly [string, Permissions | undefined, boolean][] = [
    ["no permissions: the workspace", undefined, true],
    ["permissions {}: a folder of its own", {}, false],
    ["permissions.read $ROOTS: the workspace", { read: ["$ROOTS"] }, true],
  ];
  for (const [what, permissions, granted] of access) {
    Deno.test({
      name: `${mode}: a script works in its place by its grants – ${what}`,
      ignore,
      async fn() {
        await using place = await bench({ sandbox: mode });
        const root = join(place.toolsDir, "..", "work");
        await mkdir(root);
        await writeFile(join(root, "file"), "contents");
        const tool = await place.tool("looks", {
          interpreter: "python3",
          extension: "py",
          code: LOOKS,
          manifest: permissions === undefined ? {} : { permissions },
        });
        const file = join(root, "file");
        const { caller } = testCaller({ roots: [root] });
        const result = await place.call(tool, { files: [file] }, testContext({ caller }));
        const seen: JsonObject = result.structuredContent ?? {};
        equal(result.isError, undefined, resultText(result));
        deepEqual(seen.roots, [root]);
        equal(seen.cwd, granted ? root : seen.home);
        equal(seen.place, seen.cwd);
        const visible = granted || mode === "none";
        deepEqual(seen.files, { [file]: visible ? "contents" : "FileNotFoundError" });
        const isolation = result._meta?.["skillz/isolation"];
        equal(isJsonObject(isolation) && isolation.mode, mode);
      },
    });
  }
}

for (
  const [program, extension, code] of [
    ["node", "mjs", 'import { tool } from "skillz"; tool(({ n }) => ({ n }));'],
    ["node", "cjs", 'const { tool } = require("skillz"); tool(({ n }) => ({ n }));'],
    ["deno", "ts", 'import { tool } from "skillz"; tool(({ n }: { n: number }) => ({ n }));'],
    ["ruby", "rb", 'require "skillz"\nSkillz.tool { |args| { n: args["n"] } }'],
    ["bash", "sh", '. skillz.sh\nskillz_result_json "{\\"n\\":$(skillz_arg n)}"'],
    ["sh", "sh", '. skillz.sh\nskillz_result_json "{\\"n\\":$(skillz_arg n)}"'],
  ] as const
) {
  Deno.test({
    name: `bubblewrap: the helper library is found by ${program} (.${extension})`,
    ignore: needs(program, "bwrap"),
    async fn() {
      await using place = await bench({ sandbox: "bubblewrap" });
      const interpreter = program === "deno" ? "deno run" : program;
      const tool = await place.tool("helped", {
        interpreter,
        extension,
        code,
        manifest: { permissions: {} },
      });
      // The second call is served by a process that stood by.
      for (const n of [1, 2]) {
        const result = await place.call(tool, { n });
        deepEqual(result.structuredContent, { n }, resultText(result));
      }
    },
  });
}

Deno.test({
  name: "bubblewrap: a script can't change a helper library or what another tool holds",
  ignore: needs("python3", "bwrap"),
  async fn() {
    await using place = await bench({ sandbox: "bubblewrap" });
    await place.tool("other", { interpreter: "bash", code: "secret code" });
    const tool = await place.tool("t", {
      interpreter: "python3",
      extension: "py",
      code: `
from skillz import *
import skillz, os

@tool
def main(other):
    try:
        open(skillz.__file__, "a").write("#")
        return "changed"
    except OSError as error:
        return type(error).__name__ + " " + str(os.path.exists(other))
`,
    });
    const result = await place.call(tool, { other: join(place.toolsDir, "other", "other.txt") });
    match(resultText(result), /^(OSError|PermissionError|ReadOnly\w*) False$/);
  },
});

Deno.test({
  name: "secrets do not reach logs and error texts, results they may",
  ignore: needs("bash"),
  async fn() {
    await using place = await bench({ secrets: { SKILLZ_KEY: "s3cr3t-value" } });
    const { caller, heard } = testCaller();
    const ctx = testContext({ caller });
    const failing = await place.tool("failing", {
      interpreter: "bash",
      code: `read -r l; echo "key $SKILLZ_KEY" >&2
echo '{"jsonrpc":"2.0","method":"log","params":{"message":"m","data":{"k":["'$SKILLZ_KEY'"]}}}'; exit 3`,
    });
    const failed = await place.call(failing, {}, ctx);
    equal(failed.isError, true);
    equal(JSON.stringify([failed, heard.logs]).includes("s3cr3t"), false);
    match(resultText(failed), /key \[secret\]/);
    equal(heard.logs.length, 2);
    const refusing = await place.tool("refusing", {
      interpreter: "bash",
      code: `read -r l; echo '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"bad key '$SKILLZ_KEY'"}}'`,
    });
    match(resultText(await place.call(refusing, {}, ctx)), /bad key \[secret\]/);
    const telling = await place.tool("telling", {
      interpreter: "bash",
      code: `read -r l; echo "$SKILLZ_KEY"`,
    });
    equal(resultText(await place.call(telling, {}, ctx)), "s3cr3t-value");
  },
});
