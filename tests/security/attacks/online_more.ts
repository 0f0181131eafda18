import { realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import type { Attack } from "../attack.ts";

/** Attacks around the proxy, of a tool that was granted some hosts. */
export const ONLINE_MORE_ATTACKS: readonly Attack[] = [
  {
    id: "online-direct",
    what: "connect without the proxy",
    setting: "online",
    attack: ({ hosts }) => String(hosts.otherPort),
    allowed: ({ hosts }) => String(hosts.webPort),
    code: {
      python: (port) =>
        `kept = dict(os.environ)
for name in kept:
    if name.lower().endswith("_proxy"): del os.environ[name]
try: socket.create_connection(("127.0.0.1", ${port}), 3).close()
finally: os.environ.update(kept)
return "connected"`,
      bash: (port) => `unset HTTP_PROXY http_proxy ALL_PROXY all_proxy; exec 3<>/dev/tcp/127.0.0.1/${port}`,
      typescript: (port) =>
        `using c = await Deno.connect({ hostname: "127.0.0.1", port: ${port} }); return c.remoteAddr.transport;`,
    },
  },
  {
    id: "online-net",
    what: "connect by node:net",
    setting: "online",
    attack: ({ hosts }) => String(hosts.otherPort),
    allowed: ({ hosts }) => String(hosts.webPort),
    code: {
      typescript: (port) =>
        `const { connect } = await import("node:net"); return await new Promise((done, fail) => { const s = connect(${port}, "127.0.0.1"); s.on("error", fail); s.on("connect", () => { s.destroy(); done("connected"); }); });`,
    },
  },
  {
    id: "online-socket",
    what: "open a WebSocket to a host that was not granted",
    setting: "online",
    attack: ({ hosts }) => `ws://127.0.0.1:${hosts.otherPort}/`,
    allowed: () => "",
    code: {
      typescript: (url) =>
        url === ""
          ? `return 1;`
          : `return await new Promise((done, fail) => { const s = new WebSocket(${
            JSON.stringify(url)
          }); s.onopen = done; s.onerror = (e) => fail(new Error("held: " + (e as ErrorEvent).message)); });`,
    },
  },
  {
    id: "online-own-proxy",
    what: "have fetch go through another proxy",
    setting: "online",
    attack: ({ hosts }) => `http://127.0.0.1:${hosts.otherPort}`,
    allowed: ({ hosts }) => `http://127.0.0.1:${hosts.webPort}`,
    code: {
      typescript: (url, { hosts }) =>
        `using client = Deno.createHttpClient({ proxy: { url: ${
          JSON.stringify(url)
        } } }); const r = await fetch("http://${hosts.web}/", { client }); return await r.text();`,
    },
  },
  {
    id: "online-redirect",
    what: "be led on by a granted host to one that was not",
    setting: "online",
    attack: ({ hosts }) => `http://${hosts.web}/redirect`,
    allowed: ({ hosts }) => `http://${hosts.web}/`,
    code: {
      python: (url) => `import urllib.request\nreturn urllib.request.urlopen("${url}", timeout=20).read()`,
      bash: (url) => `curl -sSfL -m 20 '${url}'`,
      typescript: (url) =>
        `const r = await fetch("${url}"); const t = await r.text(); if (!r.ok) throw new Error("refused by the proxy: " + r.status); return t;`,
    },
  },
  {
    id: "online-names",
    what: "resolve a granted name itself, or ask a name server",
    setting: "online",
    attack: () => "api.example",
    allowed: () => "localhost",
    code: {
      python: (name) => `return socket.getaddrinfo("${name}", 80)`,
      bash: (name) => `timeout 5 getent ahosts ${name}`,
      typescript: (name) =>
        name === "localhost"
          ? `return 1;`
          : `return await Deno.resolveDns("${name}", "A", { nameServer: { ipAddr: "127.0.0.1" } });`,
    },
  },
  {
    id: "online-proxy-socket",
    what: "speak to the proxy's own socket, past its inner end",
    setting: "online",
    attack: () => "connect",
    allowed: () => "look",
    code: {
      python: (what) =>
        `import glob\npaths = glob.glob("${
          realpathSync(tmpdir())
        }/skillz-net-*/*.sock")\nassert len(paths) == 1, "not there: %d" % len(paths)\n${
          what === "look"
            ? "return paths"
            : `s = socket.socket(socket.AF_UNIX)\ns.connect(paths[0])\nreturn "connected"`
        }`,
    },
  },
  {
    id: "online-relay-memory",
    what: "read the memory of the proxy's inner end, to use what it may",
    setting: "online",
    attack: () => "skillz-relay",
    allowed: () => "own",
    code: {
      python: (name) =>
        `def find():
    if "${name}" == "own": return os.getpid()
    for pid in filter(str.isdigit, os.listdir("/proc")):
        if "${name}" in open("/proc/%s/cmdline" % pid).read(): return pid
    raise KeyError("${name}")
open("/proc/%s/mem" % find(), "rb").close()
return "opened"`,
    },
  },
];
