import { deepEqual, equal, match, ok, rejects, throws } from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SkillzError } from "../../src/base/errors.ts";
import type { Config } from "../../src/config/config.ts";
import type { Environment } from "../../src/config/environment.ts";
import type { ServeFlags } from "../../src/config/flags.ts";
import { resolveConfig } from "../../src/config/resolve_config.ts";
import { tempDir } from "../support/temp_dir.ts";

const EMPTY = "/no/such/folder";

function resolved(env: Environment, flags: ServeFlags = {}, cwd = EMPTY): Promise<Config> {
  return resolveConfig(flags, { env: { HOME: "/home/a", ...env }, cwd });
}

Deno.test("resolveConfig() has a default for everything", async () => {
  const config = await resolved({ PATH: "/bin" });
  deepEqual(config, {
    toolsDir: "/home/a/.skillz/tools",
    roots: [EMPTY],
    cacheDir: "/home/a/.cache/skillz",
    home: "/home/a",
    hotReload: false,
    skills: [],
    sandbox: "auto",
    sandboxNetwork: false,
    denoPath: Deno.execPath(),
    secrets: {},
    safeEnvironment: { PATH: "/bin" },
    networkEnvironment: {},
    installerEnvironment: {},
    hostEnvironment: { deno: {}, docker: {}, rust: {}, git: {} },
    policy: undefined,
    servers: {},
    problems: [],
    logLevel: "info",
    serve: { transport: "stdio", port: 8080, host: "127.0.0.1" },
    allowAnonymous: false,
    http: { allowedHosts: [], allowedOrigins: [] },
  });
});

Deno.test("resolveConfig() is frozen all through", async () => {
  const config = await resolved({});
  for (const value of [config, config.roots, config.serve, config.hostEnvironment.docker]) {
    ok(Object.isFrozen(value));
  }
  throws(() => Object.assign(config, { home: "/x" }), TypeError);
});

Deno.test("resolveConfig() makes paths absolute, and reads ~ as the home folder", async () => {
  const config = await resolved({ TOOLS_DIR: "~/t", SKILLZ_ROOTS: "a:/b::~/c:./a:~" });
  equal(config.toolsDir, "/home/a/t");
  deepEqual(config.roots, [`${EMPTY}/a`, "/b", "/home/a/c", "/home/a"]);
  equal((await resolved({ TOOLS_DIR: "x/../y" })).toolsDir, `${EMPTY}/y`);
  equal((await resolved({ TOOLS_DIR: "" })).toolsDir, "/home/a/.skillz/tools");
});

Deno.test("resolveConfig() takes no home folder, nor one above it, for the workspace unless it is named", async () => {
  await using dir = await tempDir();
  const home = join(dir.path, "home");
  await mkdir(join(home, "project"), { recursive: true });
  const link = join(dir.path, "link");
  await Deno.symlink(home, link);
  const rootsIn = async (cwd: string, more = {}) => (await resolved({ HOME: home, ...more }, {}, cwd)).roots;
  for (const cwd of ["/", dir.path, home, link]) {
    deepEqual(await rootsIn(cwd), [], cwd);
    deepEqual(await rootsIn(cwd, { SKILLZ_ROOTS: cwd }), [cwd]);
  }
  for (const cwd of [join(home, "project"), "/usr"]) deepEqual(await rootsIn(cwd), [cwd]);
});

Deno.test("resolveConfig() lets flags win over variables", async () => {
  const env = { SKILLZ_SKILLS: "dev,sys" };
  deepEqual((await resolved(env)).skills, ["dev", "sys"]);
  deepEqual((await resolved(env, { skills: [] })).skills, []);
  const { serve, hotReload } = await resolved({}, {
    transport: "http",
    port: 0,
    host: "::1",
    hotReload: true,
  });
  deepEqual([serve, hotReload], [{ transport: "http", port: 0, host: "::1" }, true]);
});

Deno.test("resolveConfig() knows every sandbox, and refuses every other word", async () => {
  for (const word of ["auto", "required", "bubblewrap", "firejail", "nsjail", "none"]) {
    equal((await resolved({ SKILLZ_SANDBOX: word })).sandbox, word);
  }
  equal((await resolved({ SKILLZ_SANDBOX: "bwrap" })).sandbox, "bubblewrap");
  equal((await resolved({ SKILLZ_SANDBOX: "" })).sandbox, "auto");
  for (const word of ["typo", "off", "0", "true"]) {
    await rejects(resolved({ SKILLZ_SANDBOX: word }), (error) => {
      ok(error instanceof SkillzError);
      equal(error.code, "invalid_input");
      match(error.message, /SKILLZ_SANDBOX is "\w+", one of auto, required/);
      return true;
    });
  }
});

Deno.test("resolveConfig() reads SKILLZ_SANDBOX_NETWORK as a switch", async () => {
  for (const yes of ["1", "true", "TRUE"]) {
    equal((await resolved({ SKILLZ_SANDBOX_NETWORK: yes })).sandboxNetwork, true);
  }
  for (const no of ["0", "false", ""]) {
    equal((await resolved({ SKILLZ_SANDBOX_NETWORK: no })).sandboxNetwork, false);
  }
  await rejects(resolved({ SKILLZ_SANDBOX_NETWORK: "maybe" }), SkillzError);
});

Deno.test("B46 resolveConfig() lets no variable through to tools but its secrets and the safe ones", async () => {
  const config = await resolved({
    PATH: "/bin",
    LANG: "C",
    LC_ALL: "C",
    TERM: "dumb",
    TZ: "UTC",
    AWS_SECRET_ACCESS_KEY: "x",
    LD_PRELOAD: "x",
    PYTHONPATH: "x",
    PIP_USER: "1",
    SKILLZ_API: "y",
    SKILLZ_EMPTY: "",
    SKILLZ_AUTH_TOKEN: "t",
    SKILLZ_DATABASE_URL: "libsql://x",
    SKILLZ_DATABASE_TOKEN: "d",
    SKILLZ_DENO: "/opt/deno",
    SKILLZ_ROOTS: "/r",
    SKILLZ_SANDBOX: "none",
    SKILLZ_SANDBOX_NETWORK: "1",
    SKILLZ_SKILLS: "dev",
    SKILLZ_PROCESS: "mark",
    https_proxy: "http://proxy",
    SSL_CERT_FILE: "/c",
    DOCKER_HOST: "unix:///d",
    CARGO_HOME: "/cargo",
    SSH_AUTH_SOCK: "/s",
    DENO_DIR: "/deno",
    PIP_INDEX_URL: "https://packages.example/simple",
    PIP_TARGET: "/elsewhere",
  });
  deepEqual(config.installerEnvironment, { PIP_INDEX_URL: "https://packages.example/simple" });
  deepEqual(config.secrets, { SKILLZ_API: "y" });
  deepEqual(config.safeEnvironment, { PATH: "/bin", LANG: "C", LC_ALL: "C", TERM: "dumb", TZ: "UTC" });
  deepEqual(config.networkEnvironment, { https_proxy: "http://proxy", SSL_CERT_FILE: "/c" });
  deepEqual(config.hostEnvironment, {
    deno: { DENO_DIR: "/deno" },
    docker: { DOCKER_HOST: "unix:///d" },
    rust: { CARGO_HOME: "/cargo" },
    git: { SSH_AUTH_SOCK: "/s" },
  });
  deepEqual([config.authToken, config.database, config.denoPath], [
    "t",
    { url: "libsql://x", token: "d" },
    "/opt/deno",
  ]);
});

Deno.test("resolveConfig() gives a PATH when there is none", async () => {
  equal((await resolved({})).safeEnvironment.PATH, "/usr/local/bin:/usr/bin:/bin");
});

Deno.test("resolveConfig() reads skillz.toml of the current folder and of TOOLS_DIR", async () => {
  await using dir = await tempDir();
  const tools = join(dir.path, "tools");
  await mkdir(tools);
  await writeFile(
    join(dir.path, "skillz.toml"),
    '[servers.a]\ncommand = "here"\n[policy.default]\nread = ["/w"]\n',
  );
  await writeFile(
    join(tools, "skillz.toml"),
    '[servers.a]\ncommand = "there"\n[servers.b]\nurl = "https://x"\n[policy.default]\nread = ["/u"]\n',
  );
  const config = await resolved({ TOOLS_DIR: tools }, {}, dir.path);
  deepEqual(config.problems, []);
  deepEqual([config.servers.a?.command, config.servers.b?.url], ["here", "https://x"]);
  deepEqual(config.policy, { own: { default: { read: ["/u"] } }, workspace: { default: { read: ["/w"] } } });
});
