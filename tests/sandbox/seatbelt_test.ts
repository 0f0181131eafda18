import assert from "node:assert/strict";
import type { Access } from "../../src/sandbox/permissions.ts";
import { seatbeltCommand, seatbeltProfile } from "../../src/sandbox/seatbelt.ts";

const NOTHING: Access = { net: [], read: [], write: [], run: [], sys: [], ffi: false, import: [] };
const profile = (access: Partial<Access>) =>
  seatbeltProfile({ access: { ...NOTHING, ...access }, scratch: "/private/tmp/s", needs: ["/opt/py"] }).split(
    "\n",
  );

Deno.test("seatbeltProfile() denies by default and lets only the scratch folder be written", () => {
  const lines = profile({});
  assert.equal(lines[1], "(deny default)");
  assert.deepEqual(lines.filter((line) => line.startsWith("(allow file-write*")), [
    '(allow file-write* (subpath "/private/tmp/s"))',
    '(allow file-write* (literal "/dev/null"))',
  ]);
  assert.ok(!lines.some((line) => line.includes("network")));
});

Deno.test("seatbeltProfile() grants paths and the whole network, but no network for a list of hosts", () => {
  const lines = profile({ read: ["/w"], write: ["/w/out"], net: true });
  assert.ok(lines.some((line) => line.startsWith("(allow file-read*") && line.includes('(subpath "/w")')));
  assert.ok(lines.includes('(allow file-write* (subpath "/w/out") (subpath "/private/tmp/s"))'));
  assert.ok(lines.includes("(allow network*)"));
  assert.ok(!profile({ net: ["a.example"] }).some((line) => line.includes("network")));
});

Deno.test("seatbeltProfile() hides a folder in a granted one, and shows again what is granted in that", () => {
  const lines = profile({ read: ["/w/tools/mine"], write: ["/w"], hidden: ["/w/tools"] });
  const hide = lines.indexOf('(deny file-read* file-write* (subpath "/w/tools"))');
  assert.ok(hide > lines.findIndex((line) => line.includes('(subpath "/w")')));
  assert.equal(lines[hide + 1], '(allow file-read* (subpath "/w/tools/mine"))');
});

Deno.test("seatbeltProfile() lets no path end its string", () => {
  const [line] = profile({ read: ['/a")(allow default)("b\\'] }).filter((text) =>
    text.includes("allow default")
  );
  assert.ok(line?.includes('(subpath "/a\\")(allow default)(\\"b\\\\")'), line ?? "");
  assert.deepEqual(seatbeltCommand("p", ["x", "y"]), ["/usr/bin/sandbox-exec", "-p", "p", "x", "y"]);
});
