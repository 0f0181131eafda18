import { equal, match, ok } from "node:assert/strict";
import { waitFor } from "../../support/wait_for.ts";
import { openProxyBench, readAll, send } from "./_proxy_bench.ts";

Deno.test("a head that never ends is cut off", async () => {
  await using bench = await openProxyBench({ hosts: ["127.0.0.1:PORT"], limits: { headBytes: 4096 } });
  const answer = await bench.exchange(
    `GET http://127.0.0.1:${bench.port}/ HTTP/1.1\r\nX: ${"x".repeat(100_000)}`,
  );
  match(answer, /^HTTP\/1\.1 431 /);
  equal(bench.received.length, 0);
});

Deno.test("a head of just the allowed size is read", async () => {
  await using bench = await openProxyBench({ hosts: ["127.0.0.1:PORT"], limits: { headBytes: 4096 } });
  const start = `GET http://127.0.0.1:${bench.port}/ HTTP/1.1\r\nX: `;
  const fill = (size: number) => `${start}${"x".repeat(size - start.length - 4)}\r\n\r\n`;
  match(await bench.exchange(fill(4096)), /hello$/);
  match(await bench.exchange(fill(4097)), /^HTTP\/1\.1 431 /);
});

for (const begin of ["", "G", "GET http://", "\x05", "\x05\x01\x00\x05\x01"]) {
  Deno.test(`a client that stops after ${JSON.stringify(begin)} is closed`, async () => {
    await using bench = await openProxyBench({ hosts: ["127.0.0.1:PORT"], limits: { handshakeMs: 100 } });
    using conn = await bench.connect();
    await send(conn, begin);
    ok((await readAll(conn)).length <= 2);
  });
}

Deno.test("a client that sends a byte now and then gains no time", async () => {
  await using bench = await openProxyBench({ hosts: ["127.0.0.1:PORT"], limits: { handshakeMs: 200 } });
  using conn = await bench.connect();
  const closed = readAll(conn);
  let open = true;
  closed.then(() => open = false);
  await waitFor(async () => {
    if (open) await send(conn, "G");
    return !open;
  });
  equal(await closed, "");
});

Deno.test("a tunnel without a byte is closed, one with bytes now and then is not", async () => {
  await using bench = await openProxyBench({
    hosts: ["127.0.0.1:PORT"],
    limits: { idleMs: 1200 },
    // Speaks for longer than the limit, then is silent for good.
    serve: async (conn) => {
      for (let i = 0; i < 20; i++) {
        await send(conn, String(i % 10));
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      await conn.read(new Uint8Array(1));
    },
  });
  const answer = await bench.exchange(`CONNECT 127.0.0.1:${bench.port} HTTP/1.1\r\n\r\n`);
  match(answer, /\r\n\r\n(0123456789){2}$/);
});

Deno.test("connections above the limit are closed, and taken again when others have ended", async () => {
  await using bench = await openProxyBench({ hosts: ["127.0.0.1:PORT"], limits: { connections: 2 } });
  const [first, second] = [await bench.connect(), await bench.connect()];
  const request = `GET http://127.0.0.1:${bench.port}/ HTTP/1.1\r\n\r\n`;
  equal(await bench.exchange(request), "");
  first.close();
  second.close();
  await waitFor(async () => (await bench.exchange(request)).endsWith("hello"));
});

Deno.test("a job that has moved more than its bytes is cut off", async () => {
  await using bench = await openProxyBench({
    hosts: ["127.0.0.1:PORT"],
    limits: { bytes: 1_000_000 },
    serve: async (conn) => {
      const chunk = new Uint8Array(65_536);
      for (let i = 0; i < 100; i++) await conn.write(chunk);
    },
  });
  const connect = `CONNECT 127.0.0.1:${bench.port} HTTP/1.1\r\n\r\n`;
  const { length } = await bench.exchange(connect);
  ok(length > 900_000 && length < 1_100_000, String(length));
  ok((await bench.exchange(connect)).length < 100);
});

Deno.test("a slow reader makes the server wait instead of filling memory", async () => {
  let written = 0;
  await using bench = await openProxyBench({
    hosts: ["127.0.0.1:PORT"],
    serve: async (conn) => {
      const chunk = new Uint8Array(65_536);
      while (written < 500_000_000) written += await conn.write(chunk);
    },
  });
  using conn = await bench.connect();
  await send(conn, `CONNECT 127.0.0.1:${bench.port} HTTP/1.1\r\n\r\n`);
  // Whatever the kernel buffers on the way, it is far from all of it.
  let before = -1;
  await waitFor(() => written > 0 && written === before || (before = written, false), { intervalMs: 300 });
  ok(written < 100_000_000, String(written));
});

Deno.test("dispose() closes what is open, and its socket", async () => {
  const bench = await openProxyBench({ hosts: ["127.0.0.1:PORT"] });
  using conn = await bench.connect();
  await send(conn, `CONNECT 127.0.0.1:${bench.port} HTTP/1.1\r\n\r\n`);
  const head = new Uint8Array(100);
  await conn.read(head);
  const end = readAll(conn);
  await bench[Symbol.asyncDispose]();
  equal(await end, "");
  await bench.proxy[Symbol.asyncDispose]();
});
