import assert from "node:assert/strict";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { openHttp } from "../../fixtures/mcp/open_http.ts";
import { openSession, post } from "./_requests.ts";

const RESOURCE = "https://skillz.example/mcp";
const ping = { jsonrpc: "2.0", id: 1, method: "ping" };

interface Claims {
  readonly iss?: string;
  readonly aud?: string | string[];
  readonly sub?: string | null;
  readonly scope?: string;
  readonly exp?: number | null;
  readonly alg?: string;
  readonly kid?: string;
}

/** An authorization server as far as a resource server sees it: metadata, keys, tokens. */
async function openIssuer() {
  const good = await generateKeyPair("ES256", { extractable: true });
  const evil = await generateKeyPair("ES256", { extractable: true });
  const jwk = { ...await exportJWK(good.publicKey), kid: "one", alg: "ES256" };
  const state = { broken: false, asked: 0 };
  const server: Deno.HttpServer<Deno.NetAddr> = Deno.serve({
    port: 0,
    hostname: "127.0.0.1",
    onListen: () => {},
  }, (request) => {
    state.asked++;
    const { pathname } = new URL(request.url);
    if (state.broken) return new Response("no", { status: 500 });
    if (pathname === "/keys") return Response.json({ keys: [jwk] });
    if (pathname === "/.well-known/openid-configuration") {
      return Response.json({ issuer, jwks_uri: `${issuer}/keys` });
    }
    return new Response("no", { status: 404 });
  });
  const issuer = `http://127.0.0.1:${server.addr.port}`;
  const token = (claims: Claims = {}, key = good.privateKey) => {
    const { iss = issuer, aud = RESOURCE, sub = "ann", scope = "mcp", exp, alg = "ES256", kid = "one" } =
      claims;
    const jwt = new SignJWT({ scope, client_id: "editor" }).setProtectedHeader({ alg, kid }).setIssuer(iss)
      .setAudience(aud);
    if (sub !== null) jwt.setSubject(sub);
    if (exp !== null) jwt.setExpirationTime(exp ?? Math.floor(Date.now() / 1_000) + 300);
    return jwt.sign(key);
  };
  return { issuer, state, token, evil, [Symbol.asyncDispose]: () => server.shutdown() };
}

async function world(scopes: readonly string[] = ["mcp"]) {
  const issuer = await openIssuer();
  const http = await openHttp({ oauth: { issuer: issuer.issuer, resource: RESOURCE, scopes } });
  const ask = async (token?: string) => {
    const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const response = await post(`${http.url}/message`, ping, headers);
    await response.text();
    return response;
  };
  return {
    issuer,
    http,
    ask,
    async [Symbol.asyncDispose]() {
      await http[Symbol.asyncDispose]();
      await issuer[Symbol.asyncDispose]();
    },
  };
}

Deno.test("identifyByOAuth() lets in a token of the issuer that is made out to us", async () => {
  await using w = await world();
  assert.equal((await w.ask(await w.issuer.token())).status, 200);
  assert.equal((await w.ask(await w.issuer.token({ aud: ["x", RESOURCE] }))).status, 200);
});

Deno.test("identifyByOAuth() refuses every other token, and says where to get one", async () => {
  await using w = await world();
  const now = Math.floor(Date.now() / 1_000);
  const bad = [
    undefined,
    "nonsense",
    await w.issuer.token({ aud: "https://other.example/mcp" }),
    await w.issuer.token({ iss: "https://other.example" }),
    await w.issuer.token({ exp: now - 120 }),
    await w.issuer.token({ exp: null }),
    await w.issuer.token({ sub: null }),
    await w.issuer.token({ kid: "two" }),
    await w.issuer.token({}, w.issuer.evil.privateKey),
    `${btoa('{"alg":"none"}')}.${btoa('{"sub":"ann"}')}.`.replaceAll("=", ""),
  ];
  for (const token of bad) {
    const response = await w.ask(token);
    assert.equal(response.status, 401);
    assert.match(
      response.headers.get("www-authenticate") ?? "",
      /resource_metadata="https:\/\/skillz\.example\/\.well-known\/oauth-protected-resource\/mcp"/,
    );
  }
  const weak = await w.ask(await w.issuer.token({ scope: "other" }));
  assert.equal(weak.status, 403);
  assert.match(weak.headers.get("www-authenticate") ?? "", /insufficient_scope/);
});

Deno.test("identifyByOAuth() publishes the metadata that clients look for", async () => {
  await using w = await world();
  for (const path of ["/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"]) {
    const document = await (await fetch(w.http.url + path)).json();
    assert.equal(document.resource, RESOURCE);
    assert.deepEqual(document.authorization_servers, [w.issuer.issuer]);
    assert.deepEqual(document.scopes_supported, ["mcp"]);
  }
});

Deno.test("identifyByOAuth() keeps the sessions of people apart", async () => {
  await using w = await world();
  const ann = { authorization: `Bearer ${await w.issuer.token()}` };
  const bob = { authorization: `Bearer ${await w.issuer.token({ sub: "bob" })}` };
  const id = await openSession(w.http.url, ann);
  const mine = await post(`${w.http.url}/mcp`, ping, { ...ann, "mcp-session-id": id });
  const others = await post(`${w.http.url}/mcp`, ping, { ...bob, "mcp-session-id": id });
  await Promise.all([mine.text(), others.text()]);
  assert.deepEqual([mine.status, others.status], [200, 404]);
});

Deno.test("identifyByOAuth() answers with an error of ours when the issuer fails, and recovers with it", async () => {
  await using w = await world();
  const token = await w.issuer.token();
  w.issuer.state.broken = true;
  assert.equal((await w.ask(token)).status, 500);
  w.issuer.state.broken = false;
  assert.equal((await w.ask(token)).status, 200);
  const { asked } = w.issuer.state;
  await w.ask(token);
  assert.equal(w.issuer.state.asked, asked);
});
