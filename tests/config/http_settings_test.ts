import { deepEqual, equal, match } from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readConfigFiles } from "../../src/config/file.ts";
import { NO_HTTP_SETTINGS, readHttpSettings } from "../../src/config/http_settings.ts";
import { tempDir } from "../support/temp_dir.ts";

const oauth = { issuer: "https://login.example.com", resource: "https://skillz.example.com/mcp" };

Deno.test("readHttpSettings() lets in nobody else when nothing is said", () => {
  equal(readHttpSettings(undefined), NO_HTTP_SETTINGS);
  deepEqual(readHttpSettings({}), NO_HTTP_SETTINGS);
});

Deno.test("readHttpSettings() reads everything", () => {
  const settings = readHttpSettings({
    allowed_hosts: ["skillz.example.com"],
    allowed_origins: ["https://app.example.com"],
    oauth: { ...oauth, scopes: ["mcp"], jwks_uri: "https://login.example.com/keys" },
  });
  deepEqual(settings, {
    allowedHosts: ["skillz.example.com"],
    allowedOrigins: ["https://app.example.com"],
    oauth: { ...oauth, scopes: ["mcp"], jwksUri: "https://login.example.com/keys" },
  });
});

Deno.test("readHttpSettings() says what is wrong", () => {
  const bad: [unknown, RegExp][] = [
    [5, /no table/],
    [{ hosts: [] }, /hosts is not known/],
    [{ allowed_hosts: "x" }, /allowed_hosts/],
    [{ allowed_origins: [1] }, /allowed_origins/],
    [{ oauth: true }, /oauth is no table/],
    [{ oauth: {} }, /issuer/],
    [{ oauth: { ...oauth, issuer: "http://login.example.com" } }, /issuer/],
    [{ oauth: { ...oauth, resource: "mcp" } }, /resource/],
    [{ oauth: { ...oauth, scopes: "mcp" } }, /scopes/],
    [{ oauth: { ...oauth, jwks_uri: "ftp://x" } }, /jwks_uri/],
    [{ oauth: { ...oauth, secret: "x" } }, /secret is not known/],
  ];
  for (const [value, problem] of bad) match(String(readHttpSettings(value)), problem);
});

Deno.test("readHttpSettings() takes an issuer on this machine without encryption", () => {
  const settings = readHttpSettings({ oauth: { ...oauth, issuer: "http://127.0.0.1:9000" } });
  equal(typeof settings === "object" && settings.oauth?.issuer, "http://127.0.0.1:9000");
});

Deno.test("readConfigFiles() takes [http] from TOOLS_DIR only", async () => {
  await using workspace = await tempDir();
  await using toolsDir = await tempDir();
  const write = (folder: string, origin: string) =>
    writeFile(join(folder, "skillz.toml"), `[http]\nallowed_origins = ["${origin}"]\n`);
  await write(workspace.path, "https://evil.example");
  const places = { cwd: workspace.path, toolsDir: toolsDir.path };
  deepEqual((await readConfigFiles(places)).http.allowedOrigins, []);
  await write(toolsDir.path, "https://app.example");
  deepEqual((await readConfigFiles(places)).http.allowedOrigins, ["https://app.example"]);
});
