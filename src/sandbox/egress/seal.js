// Sets a seccomp filter, then becomes a command: deno run --allow-ffi --allow-read=SEAL THIS SEAL COMMAND...
// Only where there is no perl, which does the same in relay.pl.
// deno-lint-ignore-file
"use strict";
const libc = Deno.dlopen("libc.so.6", {
  prctl: { parameters: ["i32", "u64", "buffer", "u64", "u64"], result: "i32" },
  signal: { parameters: ["i32", "usize"], result: "usize" },
  execvp: { parameters: ["buffer", "buffer"], result: "i32" },
}).symbols;
const [SET_SECCOMP, FILTER_MODE, SIGPIPE, DEFAULT] = [22, 2n, 13, 0n];
const [seal, ...command] = Deno.args;
const address = (bytes) => Deno.UnsafePointer.value(Deno.UnsafePointer.of(bytes));

const program = Deno.readFileSync(seal);
const counted = new BigUint64Array([BigInt(program.length / 8), address(program)]);
if (libc.prctl(SET_SECCOMP, FILTER_MODE, new Uint8Array(counted.buffer), 0n, 0n) !== 0) {
  throw new Error("The filter can't be set");
}
// This Deno ignores it, which the command would inherit.
libc.signal(SIGPIPE, DEFAULT);
const words = command.map((word) => new TextEncoder().encode(`${word}\0`));
const list = new BigUint64Array([...words.map(address), 0n]);
libc.execvp(words[0], new Uint8Array(list.buffer));
throw new Error(`${command[0]} can't be started`);
