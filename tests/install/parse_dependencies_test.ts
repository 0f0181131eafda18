import assert from "node:assert/strict";
import { languageOf } from "../../src/install/language.ts";
import { parseDependencies } from "../../src/install/parse_dependencies.ts";

const texts = (language: "python" | "node" | "deno", ...given: string[]) =>
  parseDependencies(language, given).map(({ text }) => text);

Deno.test("parseDependencies() takes names, exact versions, ranges and extras of Python", () => {
  assert.deepEqual(
    texts("python", "six", "Requests==2.31.0", "numpy >= 1.26, < 3", "uvicorn[Standard]>=0.20", "a.b_c~=1.0"),
    [
      "a-b-c~=1.0",
      "numpy>=1.26,<3",
      "requests==2.31.0",
      "six",
      "uvicorn[standard]>=0.20",
    ],
  );
});

Deno.test("parseDependencies() takes names, versions, ranges, tags and scopes of npm", () => {
  assert.deepEqual(texts("node", "left-pad", "zod@^4.0.0", "@types/node@20", "x@latest", "y@>=1 <2 || 3.x"), [
    "@types/node@20",
    "left-pad",
    "x@latest",
    "y@>=1 <2 || 3.x",
    "zod@^4.0.0",
  ]);
});

Deno.test("parseDependencies() takes npm: and jsr: of Deno, and plain names as npm", () => {
  assert.deepEqual(texts("deno", "npm:zod@4", "jsr:@std/text@^1", "@types/node@20"), [
    "jsr:@std/text@^1",
    "npm:@types/node@20",
    "npm:zod@4",
  ]);
});

Deno.test("parseDependencies() drops the same package named twice alike, and refuses it otherwise", () => {
  assert.deepEqual(texts("python", "six==1.16.0", "SIX==1.16.0"), ["six==1.16.0"]);
  assert.throws(() => texts("python", "six", "six==1.16.0"), /six is named twice/);
});

Deno.test("B45 parseDependencies() refuses options, paths and addresses, and says which", () => {
  const cases: [string, RegExp][] = [
    ["", /empty/],
    ["--index-url=http://example.com", /option/],
    ["-r /etc/passwd", /option/],
    ["-e .", /option/],
    ["git+https://example.com/x.git", /address/],
    ["https://example.com/x.whl", /address/],
    ["file:///tmp/x", /address/],
    ["x @ https://example.com/x.whl", /address/],
    ["./x", /path/],
    ["../x", /path/],
    ["/tmp/x", /path/],
    ["~/x", /path/],
    ["x/y", /path/],
    ["..\\x", /path/],
    ["six\n--index-url=x", /control/],
    ["six; os_name=='nt'", /form/],
    ["six --pre", /form/],
    ["$(id)", /form/],
  ];
  for (const [text, message] of cases) {
    assert.throws(() => texts("python", text), message, text);
    if (!/form/.test(message.source)) assert.throws(() => texts("node", text), message, text);
  }
  for (const text of ["x@npm:y@1", "x@file:..", "x@git+ssh://y", "x@user/repo", "@scope", "a b"]) {
    assert.throws(() => texts("node", text), /Cannot use dependency/, text);
  }
  for (const text of ["https://example.com/x.ts", "npm:../x", "jsr:x", "node:fs", "jsr:@a/b/../c"]) {
    assert.throws(() => texts("deno", text), /Cannot use dependency/, text);
  }
});

Deno.test("languageOf() knows interpreters by their name", () => {
  assert.equal(languageOf("python3 -u"), "python");
  assert.equal(languageOf("/usr/bin/python3.12"), "python");
  assert.equal(languageOf("node --experimental-x"), "node");
  assert.equal(languageOf("deno run"), "deno");
  assert.equal(languageOf("ruby"), undefined);
});
