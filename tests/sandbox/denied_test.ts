import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { denoFlags } from "../../src/sandbox/deno_flags.ts";
import { findDenied, manifestLine } from "../../src/sandbox/denied.ts";
import type { Access, Permissions } from "../../src/sandbox/permissions.ts";
import { needs } from "../support/needs.ts";
import { type Bench, openBench } from "../support/sandboxed.ts";

const NOTHING: Access = { net: [], read: [], write: [], run: [], sys: [], ffi: false, import: [] };

/** What a program that is confined to nothing runs into, and the line it should be told. */
interface Denial {
  command: readonly [string, ...string[]];
  line: string;
}

const host = "api.weather.example";

/** The same four denials in every language. */
function denials(bench: Bench): Record<string, Denial[]> {
  const secret = join(bench.home, "secret.txt");
  const out = join(bench.root, "out.txt");
  const read = `permissions.read: ["${secret}"]`;
  const write = `permissions.write: ["${out}"]`;
  const net = `permissions.net: ["${host}"]`;
  const python = (code: string): [string, ...string[]] => ["python3", "-c", code];
  const node = (code: string): [string, ...string[]] => ["node", "-e", code];
  const bash = (code: string): [string, ...string[]] => ["bash", "-c", code];
  const ruby = (code: string): [string, ...string[]] => ["ruby", "-e", code];
  return {
    python3: [
      { command: python(`open("${secret}")`), line: read },
      { command: python(`open("${out}", "w")`), line: write },
      {
        command: python(`import urllib.request; urllib.request.urlopen("http://${host}/")`),
        line: "permissions.net: [",
      },
      { command: python(`import os; os.environ["SKILLZ_KEY"]`), line: `permissions.env: ["SKILLZ_KEY"]` },
      {
        command: python(`import subprocess; subprocess.run(["no-such-tool"])`),
        line: `permissions.run: ["no-such-tool"]`,
      },
    ],
    node: [
      { command: node(`fs.readFileSync("${secret}")`), line: read },
      { command: node(`fs.writeFileSync("${out}", "")`), line: write },
      { command: node(`require("http").get("http://${host}/")`), line: net },
    ],
    bash: [
      { command: bash(`cat ${secret}`), line: read },
      { command: bash(`echo > ${out}`), line: write },
      { command: bash("no-such-tool"), line: `permissions.run: ["no-such-tool"]` },
    ],
    ruby: [
      { command: ruby(`File.read("${secret}")`), line: read },
      { command: ruby(`File.write("${out}", "")`), line: write },
      {
        command: ruby(`require "net/http"; Net::HTTP.get(URI("http://${host}/"))`),
        line: `permissions.net: ["${host}:80"]`,
      },
    ],
  };
}

for (const language of ["python3", "node", "bash", "ruby"]) {
  Deno.test({
    name: `explain() names the manifest line for what ${language} was denied`,
    ignore: needs("bwrap", language),
    async fn() {
      await using bench = await openBench("bubblewrap");
      await writeFile(join(bench.home, "secret.txt"), "");
      await writeFile(join(bench.root, "out.txt"), "");
      const permissions: Permissions = { read: ["$ROOTS"] };
      for (const { command, line } of denials(bench)[language] ?? []) {
        const { code, stderr, explanation } = await bench.run({ command, permissions });
        assert.notEqual(code, 0, command.join(" "));
        assert.ok(explanation?.includes(line), `${command.join(" ")}: ${explanation}\n${stderr}`);
      }
    },
  });
}

Deno.test("explain() names the manifest line for what Deno's flags denied, without any OS sandbox", async () => {
  await using bench = await openBench("none");
  const entry = join(bench.tool, "main.ts");
  const run = async (code: string) => {
    await writeFile(entry, code);
    const flags = denoFlags(await bench.access({}), { dependencies: [], memoryMb: 256 });
    return (await bench.run({ kind: "deno", command: ["deno", "run", ...flags, entry], permissions: {} }))
      .explanation ?? "";
  };
  assert.match(await run(`await fetch("https://${host}/")`), /permissions\.net: \["api\.weather\.example"\]/);
  assert.match(
    await run(`Deno.readTextFileSync("/etc/hostname")`),
    /permissions\.read: \["\/etc\/hostname"\]/,
  );
  assert.match(await run(`Deno.writeTextFileSync("/x", "")`), /permissions\.write: \["\/x"\]/);
  assert.match(await run(`new Deno.Command("git").outputSync()`), /permissions\.run: \["git"\]/);
  assert.match(await run(`Deno.hostname()`), /permissions\.sys: \["hostname"\]/);
});

Deno.test("findDenied() tells nothing about failures that no permission would mend", async () => {
  const find = (stderr: string, access: Partial<Access> = {}) =>
    findDenied(stderr, { access: { ...NOTHING, ...access }, confined: true, offline: true });
  assert.equal(await find("ValueError: invalid literal"), undefined);
  assert.equal(
    await find("FileNotFoundError: [Errno 2] No such file or directory: '/no/such/file/anywhere'"),
    undefined,
  );
  assert.equal(await find("PermissionError: [Errno 13] Permission denied: '/usr/bin/x'"), undefined);
  assert.equal(
    await find("FileNotFoundError: [Errno 2] No such file or directory: '/etc/x'", { read: ["/etc"] }),
    undefined,
  );
  assert.equal(await find("OSError: [Errno 30] Read-only file system: '/w/x'", { write: ["/w"] }), undefined);
});

Deno.test("findDenied() names the port of loopback that was refused, because inside nobody listens there", async () => {
  const find = (stderr: string, net: readonly string[] = []) =>
    findDenied(stderr, { access: { ...NOTHING, net }, confined: true, offline: true });
  const node = "Error: connect ECONNREFUSED 127.0.0.1:8080";
  const python =
    "requests.exceptions.ConnectionError: HTTPConnectionPool(host='localhost', port=8080): Max retries " +
    "exceeded with url: / (Caused by NewConnectionError(': [Errno 111] Connection refused'))";
  assert.deepEqual(await find(node), { field: "net", value: "127.0.0.1:8080" });
  assert.deepEqual(await find("connect ECONNREFUSED ::1:8080"), { field: "net", value: "[::1]:8080" });
  assert.deepEqual(await find(python), { field: "net", value: "localhost:8080" });
  assert.equal(await find(node, ["127.0.0.1:8080"]), undefined);
  assert.equal(await find("connect ECONNREFUSED 93.184.216.34:443"), undefined);
  assert.equal(await find("ConnectionRefusedError: [Errno 111] Connection refused"), undefined);
});

Deno.test("findDenied() takes no granted host for a denied one", async () => {
  const find = (stderr: string, net: readonly string[]) =>
    findDenied(stderr, { access: { ...NOTHING, net }, confined: true, offline: true });
  const stderr = "Error: getaddrinfo EAI_AGAIN api.example.com";
  assert.deepEqual(await find(stderr, ["other.example.com"]), { field: "net", value: "api.example.com" });
  for (const net of [["api.example.com"], ["*.example.com"], ["API.example.com:443"]]) {
    assert.equal(await find(stderr, net), undefined);
  }
});

Deno.test("findDenied() does not tell whether a hidden file exists", async () => {
  const stderr = "FileNotFoundError: [Errno 2] No such file or directory: '/etc/hostname'";
  const options = { confined: true, offline: true };
  assert.deepEqual(await findDenied(stderr, { access: NOTHING, ...options }), {
    field: "read",
    value: "/etc/hostname",
  });
  const access = { ...NOTHING, hidden: ["/etc/hostname"] };
  assert.equal(await findDenied(stderr, { access, ...options }), undefined);
});

Deno.test("manifestLine() is what one pastes", () => {
  assert.equal(manifestLine({ field: "net", value: "a.example" }), 'permissions.net: ["a.example"]');
  assert.equal(manifestLine({ field: "ffi" }), "permissions.ffi: true");
});
