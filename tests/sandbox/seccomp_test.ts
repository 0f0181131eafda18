import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { seccompData } from "../../scripts/seccomp.ts";
import data from "../../src/sandbox/data/seccomp.json" with { type: "json" };

/** Interprets a classic BPF program over one system call; returns the filter's verdict. */
function verdict(program: string, call: { arch: number; number: number; args?: readonly number[] }): number {
  const bytes = Uint8Array.fromBase64(program);
  const view = new DataView(bytes.buffer);
  const memory = new DataView(new ArrayBuffer(64));
  memory.setUint32(0, call.number, true);
  memory.setUint32(4, call.arch, true);
  (call.args ?? []).forEach((arg, i) => memory.setBigUint64(16 + 8 * i, BigInt(arg), true));
  let accumulator = 0;
  for (let at = 0; at < bytes.length / 8; at++) {
    const [code, jt, jf] = [
      view.getUint16(at * 8, true),
      view.getUint8(at * 8 + 2),
      view.getUint8(at * 8 + 3),
    ];
    const k = view.getUint32(at * 8 + 4, true);
    if (code === 0x20) accumulator = memory.getUint32(k, true);
    else if (code === 0x06) return k;
    else {
      const test = { 0x15: accumulator === k, 0x35: accumulator >= k, 0x45: (accumulator & k) !== 0 }[code];
      assert.notEqual(test, undefined, `unknown instruction ${code}`);
      at += test ? jt : jf;
    }
  }
  throw new Error("The program runs off its end");
}

const ALLOW = 0x7fff0000;
const [EPERM, ENOSYS] = [0x00050001, 0x00050026];
const X86_64 = 0xc000003e;
const AARCH64 = 0xc00000b7;

Deno.test("seccomp.json is what scripts/seccomp.ts makes of the rules", async () => {
  const path = new URL("../../src/sandbox/data/seccomp.json", import.meta.url);
  assert.equal(await readFile(path, "utf8"), seccompData(), "run deno run -A scripts/seccomp.ts");
});

Deno.test("the filter lets ordinary calls through and refuses dangerous ones, on both processors", () => {
  const x = (number: number, ...args: number[]) =>
    verdict(data.x86_64.offline, { arch: X86_64, number, args });
  const a = (number: number, ...args: number[]) =>
    verdict(data.aarch64.offline, { arch: AARCH64, number, args });
  for (const allowed of [x(0), x(39), x(59), x(202), a(63), a(172), a(221)]) assert.equal(allowed, ALLOW);
  for (const refused of [x(101), x(165), x(272), x(321), a(117), a(40), a(97), a(280)]) {
    assert.equal(refused, EPERM);
  }
  for (const absent of [x(435), x(425), x(437), a(435), a(425)]) assert.equal(absent, ENOSYS);
});

Deno.test("the filter looks at arguments: namespaces, set-ID modes, socket families, terminal input", () => {
  const x = (number: number, ...args: number[]) =>
    verdict(data.x86_64.offline, { arch: X86_64, number, args });
  assert.equal(x(56, 17), ALLOW);
  assert.equal(x(56, 0x10000000 | 17), EPERM);
  assert.equal(x(90, 0, 0o755), ALLOW);
  assert.equal(x(90, 0, 0o4755), EPERM);
  // Without O_CREAT the mode is whatever was in the register.
  assert.equal(x(257, 0, 0, 0, 0o6000), ALLOW);
  assert.equal(x(257, 0, 0, 0o100, 0o644), ALLOW);
  assert.equal(x(257, 0, 0, 0o100, 0o4755), EPERM);
  assert.equal(x(16, 0, 0x5413), ALLOW);
  assert.equal(x(16, 0, 0x5412), EPERM);
  assert.equal(x(135, 0xffffffff), ALLOW);
  assert.equal(x(135, 0x0400000), EPERM);
});

Deno.test("the filter lets Unix sockets be made only with a network", () => {
  const socket = (program: string, family: number) =>
    verdict(program, { arch: X86_64, number: 41, args: [family] });
  for (const family of [2, 10, 16]) assert.equal(socket(data.x86_64.offline, family), ALLOW);
  assert.equal(socket(data.x86_64.offline, 1), EPERM);
  assert.equal(socket(data.x86_64.online, 1), ALLOW);
  for (const family of [17, 38, 40]) assert.equal(socket(data.x86_64.online, family), EPERM);
});

Deno.test("the seal takes Unix sockets away, pairs of them left alone, on both processors", () => {
  const [x, a] = [{ arch: X86_64, socket: 41, pair: 53 }, { arch: AARCH64, socket: 198, pair: 199 }];
  for (const [program, { arch, socket, pair }] of [[data.x86_64.seal, x], [data.aarch64.seal, a]] as const) {
    const call = (number: number, family: number) => verdict(program, { arch, number, args: [family] });
    assert.equal(call(socket, 1), EPERM);
    assert.equal(call(socket, 2), ALLOW);
    assert.equal(call(pair, 1), ALLOW);
  }
});

Deno.test("the filter refuses every call by another processor's numbers", () => {
  const i386 = 0x40000003;
  assert.equal(verdict(data.x86_64.offline, { arch: i386, number: 3 }), ENOSYS);
  assert.equal(verdict(data.x86_64.offline, { arch: X86_64, number: 0x40000000 }), ENOSYS);
  assert.equal(verdict(data.aarch64.offline, { arch: X86_64, number: 63 }), ENOSYS);
});
