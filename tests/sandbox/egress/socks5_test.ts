import { deepEqual, equal, match } from "node:assert/strict";
import { openProxyBench, type ProxyBench, readAll, send } from "./_proxy_bench.ts";

const HELLO = Uint8Array.of(5, 1, 0);
const [DONE, DENIED, UNREACHABLE, BAD_COMMAND, BAD_ADDRESS] = [0, 2, 4, 7, 8];

function request(
  address: readonly number[],
  { port, command = 1 }: { port: number; command?: number },
): Uint8Array {
  return Uint8Array.of(5, command, 0, ...address, port >> 8, port & 255);
}

function name(text: string): number[] {
  const bytes = [...new TextEncoder().encode(text)];
  return [3, bytes.length, ...bytes];
}

/** Greets, asks, and, if let through, sends an HTTP request: the answer's code and what came after it. */
async function ask(bench: ProxyBench, message: Uint8Array): Promise<{ code: number; rest: string }> {
  using conn = await bench.connect();
  await send(conn, HELLO);
  await send(conn, message);
  await send(conn, "GET / HTTP/1.1\r\n\r\n");
  const answer = await readAll(conn);
  equal(answer.slice(0, 2), "\x05\x00");
  return { code: answer.charCodeAt(3), rest: answer.slice(12) };
}

Deno.test("serveSocks5() connects by name, by IPv4, and by IPv6", async () => {
  await using bench = await openProxyBench({
    hosts: ["api.example", "127.0.0.1:PORT"],
    names: { "api.example": ["127.0.0.1"] },
  });
  const { port } = bench;
  const mapped = [4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 127, 0, 0, 1];
  for (
    const address of [name("api.example"), name("API.example."), [1, 127, 0, 0, 1], name("127.0.0.1"), mapped]
  ) {
    const { code, rest } = await ask(bench, request(address, { port }));
    equal(code, DONE);
    match(rest, /hello$/);
  }
});

Deno.test("serveSocks5() refuses what is not granted, and remembers it", async () => {
  await using bench = await openProxyBench({
    hosts: ["127.0.0.1:PORT", "rebind.example"],
    names: { "rebind.example": ["::1"] },
  });
  equal((await ask(bench, request(name("other.example"), { port: 443 }))).code, DENIED);
  equal((await ask(bench, request([1, 127, 0, 0, 1], { port: 1 }))).code, DENIED);
  equal((await ask(bench, request([1, 169, 254, 169, 254], { port: 80 }))).code, DENIED);
  equal((await ask(bench, request([4, ...new Array(15).fill(0), 1], { port: bench.port }))).code, DENIED);
  equal((await ask(bench, request(name("rebind.example"), { port: 80 }))).code, DENIED);
  deepEqual(bench.proxy.denied(), [
    "other.example",
    "127.0.0.1:1",
    "169.254.169.254",
    `[::1]:${bench.port}`,
    "[::1]:80",
  ]);
  deepEqual(bench.received, []);
});

Deno.test("serveSocks5() refuses to listen and to speak UDP", async () => {
  await using bench = await openProxyBench({ hosts: ["127.0.0.1:PORT"] });
  for (const command of [2, 3, 0]) {
    equal((await ask(bench, request([1, 127, 0, 0, 1], { port: bench.port, command }))).code, BAD_COMMAND);
  }
});

Deno.test("serveSocks5() refuses addresses that are none", async () => {
  await using bench = await openProxyBench({ hosts: ["127.0.0.1:PORT"] });
  const bad = [name("a b"), name(""), name("user@127.0.0.1"), name("127.0.0.1\0"), name("fe80::1%lo"), [9]];
  for (const address of bad) {
    equal((await ask(bench, request(address, { port: bench.port }))).code, BAD_ADDRESS);
  }
  equal((await ask(bench, request([1, 127, 0, 0, 1], { port: 0 }))).code, BAD_ADDRESS);
});

Deno.test("serveSocks5() tells when nobody listens", async () => {
  await using bench = await openProxyBench({ hosts: ["127.0.0.1"] });
  equal((await ask(bench, request([1, 127, 0, 0, 1], { port: 1 }))).code, UNREACHABLE);
});

Deno.test("serveSocks5() wants no authentication and takes no other way", async () => {
  await using bench = await openProxyBench({ hosts: ["127.0.0.1:PORT"] });
  equal(await bench.exchange(Uint8Array.of(5, 1, 2)), "\x05\xff");
  equal(await bench.exchange(Uint8Array.of(5, 0)), "\x05\xff");
});

Deno.test("a client that speaks SOCKS 4 is turned away", async () => {
  await using bench = await openProxyBench({ hosts: ["127.0.0.1:PORT"] });
  match(await bench.exchange(Uint8Array.of(4, 1, 0, 80, 127, 0, 0, 1, 0), "\r\n\r\n"), /^HTTP\/1\.1 400 /);
  deepEqual(bench.received, []);
});
