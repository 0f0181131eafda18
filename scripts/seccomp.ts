/**
 * Makes `src/sandbox/data/seccomp.json` from `src/sandbox/seccomp_rules.ts`: for each processor and network choice a
 * classic BPF program (an array of `struct sock_filter`, base64) as `bwrap --seccomp` reads it.
 *
 *     deno run -A scripts/seccomp.ts
 */
import { writeFile } from "node:fs/promises";
import {
  ABSENT,
  type ArgumentRule,
  argumentRules,
  type FilterArch,
  REFUSED,
  type SyscallNumber,
} from "../src/sandbox/seccomp_rules.ts";

interface Instruction {
  code: number;
  jt?: number;
  jf?: number;
  k: number;
}

const [LOAD, JUMP_EQ, JUMP_GE, JUMP_SET, RETURN] = [0x20, 0x15, 0x35, 0x45, 0x06] as const;
const ALLOW = 0x7fff0000;
const ERRNO = 0x00050000;
const [EPERM, ENOSYS] = [1, 38] as const;
const AUDIT_ARCH: Readonly<Record<FilterArch, number>> = { x86_64: 0xc000003e, aarch64: 0xc00000b7 };
/** Numbers from here on are calls of the x32 kind, which the list does not know. */
const X32_BIT = 0x40000000;
/** Offsets in `struct seccomp_data`; both processors are little-endian, so an argument's low half comes first. */
const OFFSET = { number: 0, arch: 4, argument: (index: number) => 16 + 8 * index };

const load = (k: number): Instruction => ({ code: LOAD, k });
const give = (k: number): Instruction => ({ code: RETURN, k });
const jump = (code: number, k: number, [jt, jf]: readonly [number, number]): Instruction => ({
  code,
  jt,
  jf,
  k,
});

function program(arch: FilterArch, network: boolean): Instruction[] {
  const simple = (rules: Readonly<Record<string, SyscallNumber>>, errno: number) =>
    Object.values(rules).flatMap((number) => {
      const k = number[arch];
      return k === null ? [] : [jump(JUMP_EQ, k, [0, 1]), give(ERRNO | errno)];
    });
  return [
    load(OFFSET.arch),
    jump(JUMP_EQ, AUDIT_ARCH[arch], [1, 0]),
    give(ERRNO | ENOSYS),
    load(OFFSET.number),
    ...(arch === "x86_64" ? [jump(JUMP_GE, X32_BIT, [0, 1]), give(ERRNO | ENOSYS)] : []),
    ...simple(REFUSED, EPERM),
    ...simple(ABSENT, ENOSYS),
    ...argumentRules(network).flatMap((rule) => byArgument(rule, arch)),
    give(ALLOW),
  ];
}

function byArgument(rule: ArgumentRule, arch: FilterArch): Instruction[] {
  const number = rule.number[arch];
  if (number === null) return [];
  const body: Instruction[] = [];
  if (rule.when !== undefined) {
    body.push(
      load(OFFSET.argument(rule.when.argument)),
      jump(JUMP_SET, rule.when.anyBit, [1, 0]),
      give(ALLOW),
    );
  }
  body.push(load(OFFSET.argument(rule.argument)));
  if (rule.anyBit !== undefined) body.push(jump(JUMP_SET, rule.anyBit, [0, 1]), give(ERRNO | EPERM));
  for (const value of rule.ifIn ?? []) body.push(jump(JUMP_EQ, value, [0, 1]), give(ERRNO | EPERM));
  for (const value of rule.unlessIn ?? []) body.push(jump(JUMP_EQ, value, [0, 1]), give(ALLOW));
  body.push(give(rule.unlessIn === undefined ? ALLOW : ERRNO | EPERM));
  return [jump(JUMP_EQ, number, [0, body.length]), ...body];
}

function encode(instructions: readonly Instruction[]): string {
  const bytes = new Uint8Array(instructions.length * 8);
  const view = new DataView(bytes.buffer);
  instructions.forEach(({ code, jt = 0, jf = 0, k }, i) => {
    view.setUint16(i * 8, code, true);
    view.setUint8(i * 8 + 2, jt);
    view.setUint8(i * 8 + 3, jf);
    view.setUint32(i * 8 + 4, k >>> 0, true);
  });
  return bytes.toBase64();
}

/** On top of the program `online`: no Unix sockets, once those that the inner end of the proxy needs are made. */
function seal(arch: FilterArch): Instruction[] {
  const [rule] = argumentRules(false).filter(({ name }) => name === "socket");
  if (rule === undefined) throw new Error("Cannot make the seal: no rule is about sockets");
  return [load(OFFSET.number), ...byArgument(rule, arch), give(ALLOW)];
}

/** The file's text, as the rules make it. */
export function seccompData(): string {
  const both = (arch: FilterArch) => ({
    offline: encode(program(arch, false)),
    online: encode(program(arch, true)),
    seal: encode(seal(arch)),
  });
  return `${JSON.stringify({ x86_64: both("x86_64"), aarch64: both("aarch64") }, null, 2)}\n`;
}

if (import.meta.main) {
  await writeFile(new URL("../src/sandbox/data/seccomp.json", import.meta.url), seccompData());
}
