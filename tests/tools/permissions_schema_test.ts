import assert from "node:assert/strict";
import type { JsonObject } from "../../src/base/json.ts";
import { parseManifest } from "../../src/tools/manifest.ts";

function permissionsOf(permissions: JsonObject, more: JsonObject = {}) {
  return parseManifest({ name: "x", description: "d", tool_type: "knowledge", permissions, ...more })
    .permissions;
}

const GOOD: [given: JsonObject, read: JsonObject][] = [
  [{}, {}],
  [{ net: true }, { net: true }],
  [{ net: false }, { net: [] }],
  [{ net: ["a.example", "a.example"] }, { net: ["a.example"] }],
  [{
    net: [
      "localhost",
      "127.0.0.1:80",
      "*.example.com",
      "*.example.com:443",
      "[::1]",
      "[2001:db8::1]:8080",
      "xn--a-b.example",
    ],
  }, {
    net: [
      "localhost",
      "127.0.0.1:80",
      "*.example.com",
      "*.example.com:443",
      "[::1]",
      "[2001:db8::1]:8080",
      "xn--a-b.example",
    ],
  }],
  [{ read: ["/etc/hosts", "$ROOTS", "$ROOTS/src", "$TOOL/data", "$TMP", "$HOME/.config/x", "C:\\data"] }, {
    read: ["/etc/hosts", "$ROOTS", "$ROOTS/src", "$TOOL/data", "$TMP", "$HOME/.config/x", "C:\\data"],
  }],
  [{ write: ["$ROOTS/out"], env: ["SKILLZ_KEY"], run: ["git", "/usr/bin/git", "g++", "python3.12"] }, {
    write: ["$ROOTS/out"],
    env: ["SKILLZ_KEY"],
    run: ["git", "/usr/bin/git", "g++", "python3.12"],
  }],
  [{ sys: ["hostname"], ffi: true, import: ["jsr.io", "example.com:8443"] }, {
    sys: ["hostname"],
    ffi: true,
    import: ["jsr.io", "example.com:8443"],
  }],
];

for (const [given, read] of GOOD) {
  Deno.test(`permissions take ${JSON.stringify(given)}`, () => {
    assert.deepEqual(permissionsOf(given), read);
  });
}

const BAD: [given: JsonObject, why: RegExp][] = [
  [{ network: true }, /permissions\.network: unknown field/],
  [{ net: "example.com" }, /permissions\.net: must be true or a list of hosts/],
  [{ net: ["https://example.com"] }, /permissions\.net\[0\]: .* is a URL/],
  [{ net: ["a.example", "example.com/path"] }, /permissions\.net\[1\]: .*without path/],
  [{ net: ["user@example.com"] }, /permissions\.net\[0\]/],
  [{ net: ["a.example,b.example"] }, /permissions\.net\[0\]/],
  [{ net: ["example.com:0"] }, /port/],
  [{ net: ["example.com:65536"] }, /port/],
  [{ net: ["example.com:http"] }, /port/],
  [{ net: ["::1"] }, /permissions\.net\[0\]/],
  [{ net: ["[::zz]"] }, /no IPv6 address/],
  [{ net: ["*"] }, /write true/],
  [{ net: ["*.com"] }, /two parts or more/],
  [{ net: ["*example.com"] }, /two parts or more/],
  [{ net: ["a.*.com"] }, /no host name/],
  [{ net: [""] }, /is empty/],
  [{ net: [5] }, /permissions\.net/],
  [{ read: ["src"] }, /permissions\.read\[0\]: .*absolute or begin with \$ROOTS/],
  [{ read: ["$ROOTS/../x"] }, /holds \.\./],
  [{ read: ["/a/../b"] }, /holds \.\./],
  [{ read: ["$ROOTSX"] }, /absolute or begin/],
  [{ read: ["$SECRET/x"] }, /absolute or begin/],
  [{ read: ["/a\0b"] }, /NUL/],
  [{ write: ["/"] }, /whole machine/],
  [{ write: true }, /permissions\.write: expected array, received boolean/],
  [{ env: ["PATH"] }, /permissions\.env\[0\]: "PATH" must be the name of a secret/],
  [{ env: ["SKILLZ_*"] }, /permissions\.env\[0\]/],
  [{ run: ["git push"] }, /permissions\.run\[0\]: .*program's name or absolute path/],
  [{ run: ["./x"] }, /permissions\.run\[0\]/],
  [{ run: ["-c"] }, /permissions\.run\[0\]/],
  [{ run: ["*"] }, /permissions\.run\[0\]/],
  [{ run: ["$(id)"] }, /permissions\.run\[0\]/],
  [{ sys: ["everything"] }, /permissions\.sys\[0\]: expected one of/],
  [{ ffi: "yes" }, /permissions\.ffi: expected boolean, received string/],
  [{ import: ["*.example.com"] }, /permissions\.import\[0\]/],
  [{ import: ["https://jsr.io/x"] }, /permissions\.import\[0\]/],
];

for (const [given, why] of BAD) {
  Deno.test(`permissions refuse ${JSON.stringify(given)} and name the field`, () => {
    assert.throws(() => permissionsOf(given), { code: "invalid_input", message: why });
  });
}

Deno.test("permissions refuse a secret that env takes back", () => {
  assert.throws(() => permissionsOf({ env: ["SKILLZ_A", "SKILLZ_B"] }, { env: ["SKILLZ_A"] }), {
    message: /permissions\.env: SKILLZ_B is not in env/,
  });
  permissionsOf({ env: ["SKILLZ_A"] }, { env: ["SKILLZ_A", "SKILLZ_B"] });
  permissionsOf({ env: ["SKILLZ_A"] });
});
