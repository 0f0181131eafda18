import { deepEqual, doesNotMatch, equal, match } from "node:assert/strict";
import { openProxyBench } from "./_proxy_bench.ts";

const LOCAL = { hosts: ["127.0.0.1:PORT"] };

Deno.test("serveHttp() forwards a request with a whole address, with Host from that address", async () => {
  await using bench = await openProxyBench(LOCAL);
  const url = `http://127.0.0.1:${bench.port}/a?b=c`;
  const answer = await bench.exchange(`GET ${url} HTTP/1.1\r\nHost: evil.example\r\nX-A: 1\r\n\r\n`);
  match(answer, /^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\nhello$/);
  match(answer, /\r\nConnection: close\r\n/);
  const [head = ""] = bench.received;
  match(head, new RegExp(`^GET /a\\?b=c HTTP/1\\.1\\r\\nHost: 127\\.0\\.0\\.1:${bench.port}\\r\\n`));
  match(head, /\r\nX-A: 1\r\n/);
  doesNotMatch(head, /evil/);
});

Deno.test("serveHttp() names the access and the line of the manifest when a host is not granted", async () => {
  await using bench = await openProxyBench(LOCAL);
  const answer = await bench.exchange("GET http://api.weather.gov/ HTTP/1.1\r\nHost: x\r\n\r\n");
  match(answer, /^HTTP\/1\.1 403 /);
  match(answer, /permissions\.net: \["api\.weather\.gov"\]/);
  deepEqual(bench.proxy.denied(), ["api.weather.gov"]);
  // A name that was not granted must not even be looked up: the question alone could carry data out.
  deepEqual(bench.lookups, []);
});

Deno.test("serveHttp() connects through CONNECT, and passes bytes unchanged", async () => {
  await using bench = await openProxyBench(LOCAL);
  const answer = await bench.exchange(
    `CONNECT 127.0.0.1:${bench.port} HTTP/1.1\r\nHost: x\r\n\r\n`,
    "GET / HTTP/1.1\r\n\r\n",
  );
  match(answer, /^HTTP\/1\.1 200 Connection established\r\n\r\nHTTP\/1\.1 200 OK\r\n[^]*hello$/);
  deepEqual(bench.received, ["GET / HTTP/1.1\r\n\r\n"]);
});

Deno.test("serveHttp() refuses CONNECT to another port or host", async () => {
  await using bench = await openProxyBench(LOCAL);
  match(await bench.exchange(`CONNECT 127.0.0.1:1 HTTP/1.1\r\n\r\n`), /^HTTP\/1\.1 403 /);
  match(await bench.exchange(`CONNECT 127.0.0.2:${bench.port} HTTP/1.1\r\n\r\n`), /^HTTP\/1\.1 403 /);
  deepEqual(bench.proxy.denied(), ["127.0.0.1:1", `127.0.0.2:${bench.port}`]);
  deepEqual(bench.received, []);
});

Deno.test("serveHttp() never sends a second request on, whoever it is for", async () => {
  await using bench = await openProxyBench(LOCAL);
  const local = `http://127.0.0.1:${bench.port}`;
  for (const second of ["http://other.example/", `${local}/second`, "/second"]) {
    const answer = await bench.exchange(
      `GET ${local}/first HTTP/1.1\r\nHost: x\r\n\r\nGET ${second} HTTP/1.1\r\nHost: x\r\n\r\n`,
    );
    equal(answer.match(/HTTP\/1\.1/g)?.length, 1, answer);
  }
  equal(bench.received.length, 3);
  for (const heard of bench.received) doesNotMatch(heard, /second|other/);
});

Deno.test("serveHttp() answers 502 when nobody listens, and 502 when a name has no address", async () => {
  await using bench = await openProxyBench({ hosts: ["127.0.0.1", "nowhere.example"] });
  match(await bench.exchange("CONNECT 127.0.0.1:1 HTTP/1.1\r\n\r\n"), /^HTTP\/1\.1 502 /);
  match(await bench.exchange("CONNECT nowhere.example:443 HTTP/1.1\r\n\r\n"), /^HTTP\/1\.1 502 /);
  deepEqual(bench.lookups, ["nowhere.example"]);
  deepEqual(bench.proxy.denied(), []);
});

Deno.test("serveHttp() speaks HTTP/1.0 with a client that does", async () => {
  await using bench = await openProxyBench(LOCAL);
  match(await bench.exchange(`GET http://127.0.0.1:${bench.port}/ HTTP/1.0\r\n\r\n`), /hello$/);
  match(bench.received[0] ?? "", /^GET \/ HTTP\/1\.0\r\nHost: /);
});

Deno.test("serveHttp() tells a server nothing about the proxy", async () => {
  await using bench = await openProxyBench(LOCAL);
  await bench.exchange(
    `GET http://127.0.0.1:${bench.port}/ HTTP/1.1\r\nProxy-Authorization: Basic eDp5\r\nProxy-Connection: keep-alive\r\n` +
      "Connection: X-Hop, keep-alive\r\nX-Hop: 1\r\nUpgrade: websocket\r\nTE: trailers\r\n\r\n",
  );
  doesNotMatch(bench.received[0] ?? "", /Proxy-|X-Hop|Upgrade|TE:|keep-alive|Via|Forwarded/i);
});
