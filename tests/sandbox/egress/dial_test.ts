import { deepEqual, doesNotMatch, equal, match } from "node:assert/strict";
import { openProxyBench } from "./_proxy_bench.ts";

const get = (authority: string) => `GET http://${authority}/ HTTP/1.1\r\n\r\n`;

Deno.test("dial() refuses a granted name that leads to loopback, and names the address", async () => {
  await using bench = await openProxyBench({
    hosts: ["rebind.example"],
    names: { "rebind.example": ["127.0.0.1"] },
  });
  const answer = await bench.exchange(get(`rebind.example:${bench.port}`));
  match(answer, /^HTTP\/1\.1 403 /);
  match(answer, /resolves to 127\.0\.0\.1/);
  deepEqual(bench.proxy.denied(), [`127.0.0.1:${bench.port}`]);
  deepEqual(bench.received, []);
});

Deno.test("dial() takes the same name when the address was granted too", async () => {
  await using bench = await openProxyBench({
    hosts: ["rebind.example", "127.0.0.1:PORT"],
    names: { "rebind.example": ["127.0.0.1"] },
  });
  match(await bench.exchange(get(`rebind.example:${bench.port}`)), /hello$/);
  match(bench.received[0] ?? "", new RegExp(`\\r\\nHost: rebind\\.example:${bench.port}\\r\\n`));
});

for (
  const address of [
    "0.0.0.0",
    "10.0.0.1",
    "169.254.169.254",
    "::1",
    "::",
    "::ffff:127.0.0.1",
    "fe80::1",
    "fd00:ec2::254",
  ]
) {
  Deno.test(`dial() refuses a granted name that leads to ${address}`, async () => {
    await using bench = await openProxyBench({
      hosts: ["rebind.example"],
      names: { "rebind.example": [address] },
    });
    match(await bench.exchange(get(`rebind.example:${bench.port}`)), /^HTTP\/1\.1 403 /);
    equal(bench.proxy.denied().length, 1);
  });
}

Deno.test("dial() never dials the private one of several addresses", async () => {
  await using bench = await openProxyBench({
    hosts: ["mixed.example"],
    // The public one is of a network that no machine has, so the private one would be the one that answers.
    names: { "mixed.example": ["127.0.0.1", "240.0.0.0", "9.255.255.255"] },
    limits: { handshakeMs: 1000 },
  });
  doesNotMatch(await bench.exchange(get(`mixed.example:${bench.port}`)), /hello/);
  deepEqual(bench.received, []);
});

Deno.test("dial() asks the name server once for each connection, and dials what it answered then", async () => {
  const names: Record<string, readonly string[]> = { "flip.example": ["127.0.0.1"] };
  await using bench = await openProxyBench({ hosts: ["flip.example", "127.0.0.1:PORT"], names });
  match(await bench.exchange(get(`flip.example:${bench.port}`)), /hello$/);
  names["flip.example"] = ["10.0.0.1"];
  match(await bench.exchange(get(`flip.example:${bench.port}`)), /^HTTP\/1\.1 403 /);
  deepEqual(bench.lookups, ["flip.example", "flip.example"]);
});

Deno.test("dial() tries the next address when one does not answer", async () => {
  await using bench = await openProxyBench({
    hosts: ["two.example", "127.0.0.1:PORT", "127.0.0.9:PORT"],
    names: { "two.example": ["127.0.0.9", "127.0.0.1"] },
  });
  match(await bench.exchange(get(`two.example:${bench.port}`)), /hello$/);
});

Deno.test("dial() takes localhost for this machine, whatever a name server says", async () => {
  await using bench = await openProxyBench({ hosts: ["localhost:PORT"], names: { localhost: ["10.0.0.1"] } });
  match(await bench.exchange(get(`localhost:${bench.port}`)), /hello$/);
  match(await bench.exchange(get(`LOCALHOST.:${bench.port}`)), /hello$/);
  match(await bench.exchange(get("localhost:1")), /^HTTP\/1\.1 403 /);
  match(await bench.exchange(get(`127.0.0.1:${bench.port}`)), /^HTTP\/1\.1 403 /);
  deepEqual(bench.lookups, []);
});

Deno.test("dial() compares names as one, whatever their case, dots and script", async () => {
  await using bench = await openProxyBench({
    hosts: ["bücher.example", "127.0.0.1:PORT"],
    names: { "xn--bcher-kva.example": ["127.0.0.1"] },
  });
  for (const name of ["XN--bcher-kva.example", "xn--bcher-kva.EXAMPLE."]) {
    match(await bench.exchange(get(`${name}:${bench.port}`)), /hello$/);
  }
});

for (
  const spelling of [
    "2130706433",
    "0x7f.1",
    "0177.0.0.1",
    "127.1",
    "[::ffff:127.0.0.1]",
    "[0:0:0:0:0:FFFF:7f00:1]",
  ]
) {
  Deno.test(`dial() sees through ${spelling}`, async () => {
    await using granted = await openProxyBench({ hosts: ["127.0.0.1:PORT"] });
    match(await granted.exchange(get(`${spelling}:${granted.port}`)), /hello$/);
    await using bench = await openProxyBench({ hosts: ["*.example.com"] });
    match(await bench.exchange(get(`${spelling}:${bench.port}`)), /^HTTP\/1\.1 403 /);
    deepEqual(bench.received, []);
  });
}
