import assert from "node:assert/strict";
import { denoFlags } from "../../src/sandbox/deno_flags.ts";
import type { Access } from "../../src/sandbox/permissions.ts";

const NOTHING: Access = { net: [], read: [], write: [], run: [], sys: [], ffi: false, import: [] };
const flags = (access: Partial<Access>, dependencies: readonly string[] = []) =>
  denoFlags({ ...NOTHING, ...access }, { dependencies, memoryMb: 256 });

Deno.test("denoFlags() grants nothing but the environment when nothing is granted", () => {
  assert.deepEqual(flags({}), [
    "--no-prompt",
    "--no-config",
    "--no-lock",
    "--no-npm",
    "--no-remote",
    "--v8-flags=--max-old-space-size=256",
    "--allow-env",
  ]);
});

Deno.test("denoFlags() names each granted path, host, program, and kind", () => {
  const all = flags({
    read: ["/r"],
    write: ["/w"],
    net: ["a.example:443"],
    run: ["git"],
    sys: ["osRelease"],
    ffi: true,
  });
  for (
    const flag of [
      "--allow-read=/r,/w",
      "--allow-write=/w",
      "--allow-net=a.example:443",
      "--allow-run=git",
      "--allow-sys=osRelease",
      "--allow-ffi",
    ]
  ) assert.ok(all.includes(flag), flag);
  assert.ok(flags({ net: true }).includes("--allow-net"));
});

Deno.test("denoFlags() uses only the cache when dependencies are declared, and the lock file when there is one", () => {
  const npm = flags({}, ["npm:zod@4"]);
  assert.ok(
    npm.includes("--cached-only") && npm.includes("--node-modules-dir=none") && !npm.includes("--no-npm"),
  );
  const jsr = flags({}, ["jsr:@std/fs@1"]);
  assert.ok(jsr.includes("--cached-only") && jsr.includes("--no-npm"));
  const locked = denoFlags(NOTHING, { dependencies: [], memoryMb: 1, lockFile: "/t/deno.lock" });
  assert.ok(
    locked.includes("--lock=/t/deno.lock") && locked.includes("--frozen") && !locked.includes("--no-lock"),
  );
});

Deno.test("denoFlags() lets modules come from granted hosts only", () => {
  const some = flags({ import: ["esm.sh"] });
  assert.ok(some.includes("--allow-import=esm.sh") && !some.includes("--no-remote"));
});

Deno.test("denoFlags() takes the apex back that Deno grants with *.example.com, unless it is granted itself", () => {
  assert.ok(flags({ net: ["*.example.com"] }).includes("--deny-net=example.com"));
  assert.ok(flags({ net: ["*.example.com:443"] }).includes("--deny-net=example.com:443"));
  for (const apex of ["example.com", "example.com:443"]) {
    assert.ok(!flags({ net: ["*.example.com", apex] }).some((flag) => flag.startsWith("--deny-net")), apex);
  }
});

Deno.test("denoFlags() denies what is hidden, and writing to read-only folders inside writable ones", () => {
  const some = flags({
    read: ["/w/tools/mine"],
    write: ["/w"],
    hidden: ["/w/tools"],
    denied: ["/w/tools/other"],
  });
  assert.ok(some.includes("--deny-read=/w/tools/other"));
  assert.ok(some.includes("--deny-write=/w/tools,/w/tools/mine"));
});

Deno.test("denoFlags() refuses a path with a comma, which Deno would split", () => {
  assert.throws(() => flags({ read: ["/a,b"] }), { code: "denied" });
  assert.throws(() => flags({ denied: ["/a,b"] }), { code: "denied" });
});
