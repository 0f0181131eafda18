import { deepEqual, equal, match } from "node:assert/strict";
import { openProxyBench, readAll, send } from "./_proxy_bench.ts";

/** Requests that two readers could understand in two ways, or that name a host in disguise. All are for a granted host. */
const MALFORMED: Readonly<Record<string, string>> = {
  "a user name in the address": "GET http://127.0.0.1:PORT@other.example/ HTTP/1.1\r\n\r\n",
  "a user name before the granted host": "GET http://user:pass@127.0.0.1:PORT/ HTTP/1.1\r\n\r\n",
  "a user name in CONNECT": "CONNECT user@127.0.0.1:PORT HTTP/1.1\r\n\r\n",
  "CONNECT with an address": "CONNECT http://127.0.0.1:PORT/ HTTP/1.1\r\n\r\n",
  "CONNECT without a port": "CONNECT 127.0.0.1 HTTP/1.1\r\n\r\n",
  "a path alone": "GET / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n",
  "another scheme": "GET ftp://127.0.0.1:PORT/ HTTP/1.1\r\n\r\n",
  "a backslash after the host": "GET http://127.0.0.1:PORT\\@other.example/ HTTP/1.1\r\n\r\n",
  "an escape in the host": "GET http://127.0.0.1%3APORT/ HTTP/1.1\r\n\r\n",
  "a zone id": "CONNECT [::1%25lo]:PORT HTTP/1.1\r\n\r\n",
  "a fragment": "GET http://127.0.0.1:PORT/#@other.example HTTP/1.1\r\n\r\n",
  "two lengths":
    "POST http://127.0.0.1:PORT/ HTTP/1.1\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!",
  "the same length twice":
    "POST http://127.0.0.1:PORT/ HTTP/1.1\r\nContent-Length: 1\r\ncontent-length: 1\r\n\r\nx",
  "lengths in one header": "POST http://127.0.0.1:PORT/ HTTP/1.1\r\nContent-Length: 1, 1\r\n\r\nx",
  "a length with a sign": "POST http://127.0.0.1:PORT/ HTTP/1.1\r\nContent-Length: +1\r\n\r\nx",
  "a length and chunks":
    "POST http://127.0.0.1:PORT/ HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
  "two codings": "POST http://127.0.0.1:PORT/ HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
  "a coding nobody knows":
    "POST http://127.0.0.1:PORT/ HTTP/1.1\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
  "chunks in HTTP/1.0": "POST http://127.0.0.1:PORT/ HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
  "a blank before the colon":
    "POST http://127.0.0.1:PORT/ HTTP/1.1\r\nTransfer-Encoding : chunked\r\nContent-Length: 0\r\n\r\n",
  "a folded header": "GET http://127.0.0.1:PORT/ HTTP/1.1\r\nX: 1\r\n Host: other\r\n\r\n",
  "a bare line feed": "GET http://127.0.0.1:PORT/ HTTP/1.1\r\nX: 1\nHost: other\r\n\r\n",
  "a bare carriage return": "GET http://127.0.0.1:PORT/ HTTP/1.1\r\nX: 1\rHost: other\r\n\r\n",
  "a NUL": "GET http://127.0.0.1:PORT/ HTTP/1.1\r\nX: 1\0\r\n\r\n",
  "a header without a name": "GET http://127.0.0.1:PORT/ HTTP/1.1\r\n: x\r\n\r\n",
  "two blanks in the first line": "GET  http://127.0.0.1:PORT/ HTTP/1.1\r\n\r\n",
  "another version": "GET http://127.0.0.1:PORT/ HTTP/1.2\r\n\r\n",
  "HTTP/2 by prior knowledge": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "a chunk without a size":
    "POST http://127.0.0.1:PORT/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n\r\n\r\n",
  "a chunk with a sign":
    "POST http://127.0.0.1:PORT/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n\r\n",
  "a chunk longer than its size":
    "POST http://127.0.0.1:PORT/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nxyz\r\n0\r\n\r\n",
};

for (const [what, request] of Object.entries(MALFORMED)) {
  Deno.test(`serveHttp() refuses ${what}`, async () => {
    await using bench = await openProxyBench({
      hosts: ["127.0.0.1:PORT", "[::1]:PORT"],
      // Like a server that waits for the whole request, so that the answer can only be the proxy's.
      serve: async (conn) => void await new Response(conn.readable).text(),
    });
    const answer = await bench.exchange(request.replaceAll("PORT", String(bench.port)));
    match(answer, /^HTTP\/1\.1 400 /);
    equal(answer.match(/HTTP\/1\.1/g)?.length, 1);
    deepEqual(bench.lookups, []);
  });
}

Deno.test("serveHttp() reads bodies by their length, and sends on exactly that", async () => {
  await using bench = await openProxyBench({ hosts: ["127.0.0.1:PORT"], serve: echoAll });
  const url = `http://127.0.0.1:${bench.port}/`;
  const sized = await bench.exchange(
    `POST ${url} HTTP/1.1\r\nContent-Length: 3\r\n\r\nabcGET http://other/ HTTP/1.1\r\n\r\n`,
  );
  match(sized, /\r\n\r\nabc$/);
  const chunked = await bench.exchange(
    `POST ${url} HTTP/1.1\r\nTransfer-Encoding: Chunked\r\n\r\n`,
    "3;ext=1\r\nabc\r\n",
    "0a\r\n0123456789\r\n0\r\nX-Trailer: 1\r\n\r\nGET / HTTP/1.1\r\n\r\n",
  );
  match(chunked, /\r\n\r\n3\r\nabc\r\na\r\n0123456789\r\n0\r\n\r\n$/);
});

Deno.test("serveHttp() passes 100 Continue on before the body comes", async () => {
  await using bench = await openProxyBench({
    hosts: ["127.0.0.1:PORT"],
    serve: async (conn) => {
      const chunk = new Uint8Array(1000);
      await conn.read(chunk);
      await conn.write(new TextEncoder().encode("HTTP/1.1 100 Continue\r\n\r\n"));
      const count = await conn.read(chunk) ?? 0;
      await conn.write(new TextEncoder().encode("HTTP/1.1 201 Created\r\nConnection: X\r\nX: y\r\n\r\n"));
      await conn.write(chunk.subarray(0, count));
    },
  });
  using conn = await bench.connect();
  const url = `http://127.0.0.1:${bench.port}/`;
  await send(conn, `PUT ${url} HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n`);
  const chunk = new Uint8Array(1000);
  const count = await conn.read(chunk) ?? 0;
  equal(new TextDecoder().decode(chunk.subarray(0, count)), "HTTP/1.1 100 Continue\r\n\r\n");
  await send(conn, "body");
  equal(await readAll(conn), "HTTP/1.1 201 Created\r\nConnection: close\r\n\r\nbody");
});

for (
  const answer of [
    "",
    "hello",
    "HTTP/2 200\r\n\r\n",
    "HTTP/1.1 101 Switching\r\n\r\n",
    `HTTP/1.1 200 OK\r\nX: ${"x".repeat(50_000)}`,
  ]
) {
  Deno.test(`serveHttp() answers 502 when a server answers ${JSON.stringify(answer.slice(0, 30))}`, async () => {
    await using bench = await openProxyBench({
      hosts: ["127.0.0.1:PORT"],
      serve: async (conn) => {
        await conn.read(new Uint8Array(1000));
        await send(conn, answer);
      },
    });
    match(await bench.exchange(`GET http://127.0.0.1:${bench.port}/ HTTP/1.1\r\n\r\n`), /^HTTP\/1\.1 502 /);
  });
}

/** Answers with the body as it came, when its end is certain. */
async function echoAll(conn: Deno.TcpConn): Promise<void> {
  const chunk = new Uint8Array(65_536);
  let text = "";
  const isWhole = () =>
    /Content-Length: 3\r\n[^]*\r\n\r\n[^]{3}/i.test(text) || /chunked\r\n[^]*\r\n0\r\n\r\n$/i.test(text);
  while (!isWhole()) {
    const count = await conn.read(chunk);
    if (count === null) return;
    text += new TextDecoder("latin1").decode(chunk.subarray(0, count));
  }
  const body = text.slice(text.indexOf("\r\n\r\n") + 4);
  await conn.write(new TextEncoder().encode(`HTTP/1.1 200 OK\r\n\r\n${body}`));
}
