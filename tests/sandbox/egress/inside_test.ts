import { deepEqual, equal, match } from "node:assert/strict";
import { createSocket } from "node:dgram";
import { needs } from "../../support/needs.ts";
import { type InsideBench, openInsideBench } from "./_inside_bench.ts";

/** Programs that use the proxy by what the environment says. `URL` stands for the address. */
const CLIENTS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  curl: ["curl", "-sS", "URL"],
  "curl over SOCKS": ["curl", "-sS", "--socks5-hostname", "127.0.0.1:17317", "URL"],
  python: [
    "python3",
    "-c",
    "import urllib.request as r; print(r.urlopen('URL', timeout=20).read().decode())",
  ],
  "node's fetch": ["node", "-e", "fetch('URL').then((r) => r.text()).then(console.log)"],
  "node's http": ["node", "-e", "require('PROTOCOL').get('URL', (r) => r.pipe(process.stdout))"],
  ruby: ["ruby", "-rnet/http", "-e", "puts Net::HTTP.get(URI('URL'))"],
};

async function reach(inside: InsideBench, url: string, client: readonly [string, ...string[]]) {
  const { bench, port, tlsPort, certificate } = inside;
  const [program, ...args] = client;
  const fill = (arg: string) =>
    arg.replace("URL", url).replace("PROTOCOL", `node:${new URL(url).protocol.slice(0, -1)}`);
  return await bench.run({
    command: [program, ...args.map(fill)],
    permissions: {
      net: [`api.example:${port}`, `api.example:${tlsPort}`, `127.0.0.1:${port}`, `127.0.0.1:${tlsPort}`],
    },
    env: { SSL_CERT_FILE: certificate, CURL_CA_BUNDLE: certificate, NODE_EXTRA_CA_CERTS: certificate },
  });
}

for (const mode of ["bubblewrap", "firejail", "nsjail"] as const) {
  const program = mode === "bubblewrap" ? "bwrap" : mode;
  const isThere = (...names: readonly string[]) => !needs(program, "openssl", "perl", ...names);

  Deno.test({
    name: `egress inside ${mode}: programs reach a granted host by its name, over HTTP and HTTPS`,
    ignore: !isThere("curl", "python3", "node", "ruby"),
    async fn() {
      await using inside = await openInsideBench(mode);
      // What programs do with a proxy is the same in every mode; that they reach it is not.
      const clients = Object.entries(CLIENTS).filter(([name]) =>
        mode === "bubblewrap" || name.startsWith("curl")
      );
      for (const [name, client] of clients) {
        for (const url of [`http://api.example:${inside.port}/`, `https://api.example:${inside.tlsPort}/`]) {
          const result = await reach(inside, url, client);
          equal(result.stdout.trim(), "hello from api.example", `${name} ${url}: ${result.stderr}`);
          equal(result.isolation.network, "hosts");
        }
      }
    },
  });

  Deno.test({
    name: `egress inside ${mode}: a host that was not granted is refused, and named with the line to add`,
    ignore: !isThere("curl", "python3", "node"),
    async fn() {
      await using inside = await openInsideBench(mode);
      // Ruby takes the refusal for an answer.
      const clients = Object.entries(CLIENTS).filter(([name]) =>
        name !== "ruby" && (mode === "bubblewrap" || name === "curl")
      );
      for (const [name, [program, ...args]] of clients) {
        const command: [string, ...string[]] = name.startsWith("curl")
          ? [program, "-f", ...args]
          : [program, ...args];
        const result = await reach(inside, `https://other.example/`, command);
        equal(result.stdout, "", name);
        match(
          result.explanation ?? "",
          /permissions\.net: \["other\.example"\]/,
          `${name}: ${result.stderr}`,
        );
      }
    },
  });

  Deno.test({
    name: `egress inside ${mode}: Deno reaches granted hosts by fetch, and services directly`,
    ignore: !isThere(),
    async fn() {
      await using inside = await openInsideBench(mode);
      const { port, tlsPort, certificate } = inside;
      const net = [
        `api.example:${port}`,
        `api.example:${tlsPort}`,
        `127.0.0.1:${port}`,
        `127.0.0.1:${tlsPort}`,
      ];
      const result = await inside.deno(
        `for (const url of ["http://api.example:${port}/", "https://api.example:${tlsPort}/", "http://127.0.0.1:${port}/"]) {
          console.log(await (await fetch(url)).text());
        }
        using direct = await Deno.connect({ hostname: "127.0.0.1", port: ${port} });
        await direct.write(new TextEncoder().encode("GET http://raw/ HTTP/1.0\\r\\n\\r\\n"));
        console.log((await new Response(direct.readable).text()).split("\\r\\n").at(-1));`,
        { net },
        { DENO_CERT: certificate },
      );
      deepEqual(result.stdout.trim().split("\n"), [
        "hello from api.example",
        "hello from api.example",
        "hello from 127.0.0.1",
        "hello from raw",
      ], result.stderr);
      const refused = await inside.deno(`await fetch("http://other.example/")`, { net });
      match(refused.explanation ?? "", /permissions\.net: \["other\.example(?::80)?"\]/);
    },
  });

  Deno.test({
    name: `egress inside ${mode}: nothing but the proxy leads out`,
    ignore: !isThere("python3"),
    async fn() {
      await using inside = await openInsideBench(mode);
      const { bench, port } = inside;
      await using other = Deno.serve(
        { port: 0, hostname: "127.0.0.1", onListen() {} },
        () => new Response("no"),
      );
      const udp = createSocket("udp4", (message, from) => udp.send(message, from.port, from.address));
      await new Promise<void>((resolve) => udp.bind(0, "127.0.0.1", resolve));
      await using _udp = {
        [Symbol.asyncDispose]: () => new Promise<void>((resolve) => udp.close(() => resolve())),
      };
      const code = `
import socket, glob, os, stat
def attempt(what, do):
    try: print(what, do())
    except OSError as error: print(what, "refused")
def connect(port): socket.create_connection(("127.0.0.1", port), timeout=5); return "connected"
def send(port):
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.settimeout(1)
    s.sendto(b"x", ("127.0.0.1", port)); return s.recv(10)
attempt("granted", lambda: connect(${port}))
attempt("not granted", lambda: connect(${other.addr.port}))
attempt("udp", lambda: send(${udp.address().port}))
attempt("internet", lambda: socket.create_connection(("1.1.1.1", 443), timeout=5))
attempt("dns", lambda: socket.getaddrinfo("api.example", 443))
print("sockets", sum(stat.S_ISSOCK(os.stat(path).st_mode) for path in glob.glob("/tmp/**/*.sock", recursive=True)))
mine = socket.create_server(("127.0.0.1", 0)); connect(mine.getsockname()[1]); print("own server works")`;
      const [result, second] = await Promise.all([
        bench.run({ command: ["python3", "-c", code], permissions: { net: [`127.0.0.1:${port}`] } }),
        // Another job at the same time, whose socket the first one must not see.
        bench.run({ command: ["sleep", "1"], permissions: { net: [`127.0.0.1:${other.addr.port}`] } }),
      ]);
      deepEqual(result.stdout.trim().split("\n"), [
        "granted connected",
        "not granted refused",
        "udp refused",
        "internet refused",
        "dns refused",
        "sockets 1",
        "own server works",
      ], `${result.stdout} ${result.stderr}`);
      equal(second.code, 0);
    },
  });

  Deno.test({
    name:
      `egress inside ${mode}: services are reached at their ports, without a proxy, also by what speaks no HTTP`,
    ignore: !isThere("python3"),
    async fn() {
      await using inside = await openInsideBench(mode);
      using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
      const greeted = (async () => {
        const conn = await listener.accept();
        await conn.write(new TextEncoder().encode("server speaks first\n")); // as MySQL does
        let bytes = 0;
        for (const chunk = new Uint8Array(65_536); bytes < 3_000_000;) {
          bytes += await conn.read(chunk) ?? Infinity;
        }
        await conn.write(new TextEncoder().encode(`${bytes} bytes came`));
        conn.close();
      })();
      const { port } = listener.addr;
      const code = `import socket
s = socket.create_connection(("localhost", ${port})); f = s.makefile(); print(f.readline(), end="")
s.sendall(b"x" * 3000000); print(f.read())`;
      const result = await inside.bench.run({
        command: ["python3", "-c", code],
        services: [`127.0.0.1:${port}`],
      });
      equal(result.stdout.trim(), "server speaks first\n3000000 bytes came", result.stderr);
      await greeted;
    },
  });

  Deno.test({
    name:
      `egress inside ${mode}: the program keeps its exit code, its signals, and has no child that it did not start`,
    ignore: !isThere("python3"),
    async fn() {
      await using inside = await openInsideBench(mode);
      const run = (code: string) =>
        inside.bench.run({ command: ["python3", "-c", code], permissions: { net: ["api.example"] } });
      equal((await run("import sys; sys.exit(7)")).code, 7);
      // Under nsjail a program is the first of its namespace, which takes no signal from itself.
      const killed = await run("import os, signal; os.kill(os.getpid(), signal.SIGKILL)");
      if (mode !== "nsjail") equal(killed.code, 128 + 9);
      const { stdout } = await run(`import os, signal
print(signal.getsignal(signal.SIGTERM) == signal.SIG_DFL, signal.getsignal(signal.SIGHUP) == signal.SIG_DFL)
print(sorted(int(fd) for fd in os.listdir("/proc/self/fd"))[:3])
try: os.waitpid(-1, os.WNOHANG); print("a child" if os.getpid() != 1 else "alone")
except ChildProcessError: print("alone")`);
      deepEqual(stdout.trim().split("\n"), ["True True", "[0, 1, 2]", "alone"]);
    },
  });

  Deno.test({
    name: `egress inside ${mode}: works without perl too`,
    ignore: !isThere("python3"),
    async fn() {
      await using inside = await openInsideBench(mode, { withoutPerl: true });
      const { port } = inside;
      const result = await inside.bench.run({
        command: [
          "bash",
          "-c",
          `curl -sS http://api.example:${port}/ http://127.0.0.1:${port}/; cat; ls -A $TMPDIR; exit 5`,
        ],
        permissions: { net: [`api.example:${port}`, `127.0.0.1:${port}`] },
        input: " and its input",
      });
      match(result.stdout, /^hello from api\.examplehello from 127\.0\.0\.1 and its input/, result.stderr);
      equal(result.code, 5);
      const code = `import os, socket
print(socket.socketpair() and "a pair")
try: socket.socket(socket.AF_UNIX)
except PermissionError: print("no Unix socket")
lines = {pid: open("/proc/%s/cmdline" % pid).read() for pid in os.listdir("/proc") if pid.isdigit()}
relays = [pid for pid, line in lines.items() if "relay" in line and "deno" in line.split("\\0")[0]]
try: print(len(relays), open("/proc/%s/mem" % relays[0], "rb"))
except PermissionError: print("no memory of the relay")`;
      const sealed = await inside.bench.run({
        command: ["python3", "-c", code],
        permissions: { net: [`api.example:${port}`] },
      });
      equal(sealed.stdout, "a pair\nno Unix socket\nno memory of the relay\n", sealed.stderr);
    },
  });
}
