import { deepEqual } from "node:assert/strict";
import { secretValues } from "../../src/config/secret_values.ts";

const server = { args: [], disabled: false };

Deno.test("secretValues() lists what tools, clients, the database and servers sign in with", () => {
  const values = secretValues({
    secrets: { SKILLZ_A: "alpha-secret" },
    authToken: "client-token",
    database: { url: "libsql://x", token: "database-token" },
    servers: {
      local: { ...server, command: "x", env: { API_KEY: "key-of-local", REGION: "eu-central" }, headers: {} },
      remote: {
        ...server,
        url: "https://x",
        env: {},
        headers: { Authorization: "Bearer abcdef", Accept: "text/plain" },
      },
    },
  });
  deepEqual(values, [
    "alpha-secret",
    "client-token",
    "database-token",
    "key-of-local",
    "key-of-local",
    "Bearer abcdef",
    "abcdef",
  ]);
});

Deno.test("secretValues() is empty where there is no secret", () => {
  deepEqual(secretValues({ secrets: {}, servers: {} }), []);
});
