import { deepEqual, equal, ok } from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "smol-toml";
import { isJsonObject } from "../../src/base/json.ts";
import { EGRESS_LIMITS } from "../../src/sandbox/egress/limits.ts";
import type { Permissions } from "../../src/sandbox/permissions.ts";
import { decide } from "../../src/sandbox/policy.ts";
import { parsePolicy } from "../../src/sandbox/policy_parse.ts";
import { permissionsSchema } from "../../src/tools/permissions_schema.ts";
import { needs } from "../support/needs.ts";
import { readSource } from "../support/repository.ts";
import { snippetsOf } from "../support/snippets.ts";
import { testApp } from "../support/test_app.ts";
import { waitFor } from "../support/wait_for.ts";

const FILE = "docs/permissions.md";

async function block(language: string, index = 0): Promise<string> {
  const found = snippetsOf(await readSource(FILE)).filter((snippet) => snippet.language === language);
  return found[index]?.code ?? "";
}

Deno.test("the permissions of docs/permissions.md are those of a manifest", async () => {
  const given = JSON.parse(await block("json"));
  deepEqual(permissionsSchema.parse(given), given);
});

Deno.test("the policy of docs/permissions.md is understood, and decides as the text says", async () => {
  const { policy: own } = parse(await block("toml"));
  const { policy, problems } = parsePolicy({ own });
  deepEqual(problems, []);
  deepEqual(policy.defaultProfile, { read: ["$ROOTS"], env: [] });
  const kind = (wanted: Permissions) => decide(wanted, policy, { paths: (path) => [path] }).kind;
  equal(
    kind({ net: ["api.weather.gov", "a.example.com"], write: ["$ROOTS/out"], env: ["SKILLZ_MAPS_KEY"] }),
    "allow",
  );
  equal(kind({ net: ["example.com"], run: ["git"] }), "ask");
  equal(kind({ run: ["bash"] }), "deny");
  equal(kind({ read: ["$HOME"] }), "deny");
  equal(kind({ net: true }), "deny");
  equal(kind({ ffi: true }), "deny");
});

Deno.test({
  name: "the entry of docs/permissions.md has the fields that the audit writes",
  ignore: needs("python3", "bwrap"),
  async fn() {
    const documented: unknown = JSON.parse(await block("json", 1));
    ok(isJsonObject(documented));
    await using app = await testApp({ env: { SKILLZ_SANDBOX: "bubblewrap" } });
    const code = `import urllib.request
try: urllib.request.urlopen("http://other.example.org/", timeout=20)
except OSError as error: print(error)`;
    const permissions = { net: ["api.weather.gov"] };
    await app.data("register_script", {
      name: "weather",
      description: "d",
      interpreter: "python3",
      code,
      permissions,
    });
    await app.call("weather", { city: "Cairo", days: 3, tags: ["a", "b"] });
    const path = join(app.toolsDir, "audit", "audit.jsonl");
    const line = await waitFor(async () =>
      (await readFile(path, "utf8").catch(() => "")).split("\n").find((one) =>
        one.includes('"tool":"weather"')
      )
    );
    const written = JSON.parse(line ?? "{}");
    deepEqual(Object.keys(written).sort(), Object.keys(documented).sort());
    for (const field of ["permissions", "arguments", "outcome", "denied"]) {
      deepEqual(written[field], documented[field], field);
    }
  },
});

Deno.test("docs/permissions.md tells the limits of the proxy", async () => {
  const text = (await readSource(FILE)).replace(/\s+/g, " ");
  const { connections, bytes, handshakeMs, idleMs } = EGRESS_LIMITS;
  ok(text.includes(`At once ${connections} connections; ${bytes / 1024 ** 3} GiB per job`));
  ok(text.includes(`${handshakeMs / 1000} seconds to say where to`));
  ok(text.includes(`${idleMs / 60_000} minutes without a byte`));
});
