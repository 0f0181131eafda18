import assert from "node:assert/strict";
import { AccessCheck, type AccessCheckOptions } from "../../../src/transport/http/access_check.ts";

const LOCAL: AccessCheckOptions = { hostname: "127.0.0.1", local: true, authenticated: false };

function statusOf(options: Partial<AccessCheckOptions>, headers: Record<string, string>): number {
  const request = new Request("http://127.0.0.1/mcp", { headers });
  return new AccessCheck({ ...LOCAL, ...options }).refuse(request)?.status ?? 200;
}

const host = (name: string, options: Partial<AccessCheckOptions> = {}) => statusOf(options, { host: name });
const origin = (name: string, options: Partial<AccessCheckOptions> = {}) =>
  statusOf(options, { host: "localhost", origin: name });

Deno.test("B17 AccessCheck lets requests in that are addressed to this machine", () => {
  for (const name of ["localhost", "localhost:8080", "127.0.0.1:1", "[::1]", "[::1]:8080", "LOCALHOST"]) {
    assert.equal(host(name), 200, name);
  }
});

Deno.test("B17 AccessCheck refuses names that a web page may have pointed at us", () => {
  for (
    const name of [
      "evil.example",
      "evil.example:8080",
      "localhost.evil.example",
      "127.0.0.1.evil.example",
      "",
    ]
  ) {
    assert.equal(host(name), 403, name);
  }
  assert.equal(new AccessCheck(LOCAL).refuse(new Request("http://x/"))?.status, 403);
});

Deno.test("B17 AccessCheck on an open address lets addresses in, and any name when clients prove who they are", () => {
  const open = { hostname: "0.0.0.0", local: false };
  assert.equal(host("192.168.1.5:8080", open), 200);
  assert.equal(host("[2001:db8::1]:8080", open), 200);
  assert.equal(host("evil.example", open), 403);
  assert.equal(host("skillz.example", { ...open, authenticated: true }), 200);
  assert.equal(host("192.168.1.5"), 403);
});

Deno.test("AccessCheck lets in the name it listens on and those that were allowed", () => {
  assert.equal(host("box.local:80", { hostname: "box.local", local: false }), 200);
  assert.equal(host("skillz.example", { allowedHosts: ["Skillz.example"] }), 200);
});

Deno.test("B17 AccessCheck refuses pages of other origins and lets in those of this machine or allowed ones", () => {
  const fine = ["http://localhost", "http://localhost:6274", "http://127.0.0.1:9", "https://[::1]:8"];
  for (const name of fine) assert.equal(origin(name), 200, name);
  const bad = [
    "http://evil.example",
    "http://localhost.evil.example",
    "null",
    "file://",
    "chrome-extension://abc",
    "x",
  ];
  for (const name of bad) assert.equal(origin(name), 403, name);
  const allowedOrigins = ["https://app.example", "chrome-extension://abc"];
  for (const name of allowedOrigins) assert.equal(origin(name, { allowedOrigins }), 200, name);
  assert.equal(origin("http://app.example", { allowedOrigins }), 403);
});

Deno.test("AccessCheck tells browsers what they may send, and hides nothing that clients need", () => {
  const check = new AccessCheck(LOCAL);
  const request = new Request("http://127.0.0.1/mcp", {
    method: "OPTIONS",
    headers: {
      host: "localhost",
      origin: "http://localhost:5173",
      "access-control-request-headers": "content-type, Mcp-Session-Id, mcp-param-region, cookie, x-evil",
    },
  });
  const { status, headers } = check.preflight(request);
  assert.equal(status, 204);
  assert.equal(headers.get("access-control-allow-origin"), "http://localhost:5173");
  assert.equal(headers.get("access-control-allow-headers"), "content-type, Mcp-Session-Id, mcp-param-region");
  const answer = check.allow("http://localhost:5173", new Response("x"));
  assert.match(answer.headers.get("access-control-expose-headers") ?? "", /mcp-session-id/);
  assert.equal(answer.headers.get("vary"), "origin");
  assert.equal(check.allow(null, new Response("x")).headers.get("access-control-allow-origin"), null);
});
