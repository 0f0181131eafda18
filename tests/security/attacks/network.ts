import type { Attack } from "../attack.ts";

/** Something of its own to talk to: the sandbox has a loopback device, only nobody else is on it. */
const OWN_SERVER = `s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen()\nport = s.getsockname()[1]`;

/** Attacks on the network, by a tool that was granted none. */
export const NETWORK_ATTACKS: readonly Attack[] = [
  {
    id: "loopback",
    what: "connect to a server of the host on loopback",
    attack: ({ port }) => String(port),
    allowed: () => "own",
    code: {
      python: (port) =>
        `${
          port === "own" ? OWN_SERVER : `port = ${port}`
        }\nsocket.create_connection(("127.0.0.1", port), 3).close()\nreturn "connected"`,
    },
  },
  {
    id: "loopback-http",
    what: "ask a server of the host by HTTP",
    attack: ({ port }) => `http://127.0.0.1:${port}/`,
    allowed: ({ secret }) => `data:,${secret}`,
    code: {
      typescript: (url, { secret }) =>
        `const t = await (await fetch(${
          JSON.stringify(url)
        }, { signal: AbortSignal.timeout(3000) })).text(); if (t !== ${
          JSON.stringify(secret)
        }) throw new Error(t); return t;`,
    },
  },
  {
    id: "loopback-shell",
    what: "connect to loopback from the shell",
    attack: ({ port }) => `/dev/tcp/127.0.0.1/${port}`,
    allowed: () => "/dev/null",
    code: { bash: (path) => `exec 3<>'${path}'` },
  },
  {
    id: "loopback-6",
    what: "connect to the host by IPv6",
    attack: ({ port }) => String(port),
    allowed: () => "own",
    code: {
      python: (port) =>
        `${
          port === "own" ? `${OWN_SERVER}\nhost = "127.0.0.1"` : `port = ${port}; host = "::ffff:127.0.0.1"`
        }\nsocket.create_connection((host, port), 3).close()\nreturn "connected"`,
    },
  },
  {
    id: "metadata",
    what: "ask the cloud's metadata address",
    attack: () => "169.254.169.254",
    allowed: () => "own",
    code: {
      python: (host) =>
        `${
          host === "own" ? `${OWN_SERVER}\nhost = "127.0.0.1"` : `host = "${host}"; port = 80`
        }\nsocket.create_connection((host, port), 2).close()\nreturn "connected"`,
    },
  },
  {
    id: "internet",
    what: "connect to an address of the internet",
    attack: () => "1.1.1.1",
    allowed: () => "own",
    code: {
      python: (host) =>
        `${
          host === "own" ? `${OWN_SERVER}\nhost = "127.0.0.1"` : `host = "${host}"; port = 443`
        }\nsocket.create_connection((host, port), 2).close()\nreturn "connected"`,
    },
  },
  {
    id: "udp",
    what: "send a datagram to the host",
    attack: ({ udpPort }) => String(udpPort),
    allowed: () => "own",
    code: {
      // A datagram into the void is no error: what counts is whether somebody answers for the port.
      python: (port) =>
        `s = socket.socket(type=socket.SOCK_DGRAM); s.settimeout(1)\nr = socket.socket(type=socket.SOCK_DGRAM); r.bind(("127.0.0.1", 0))\ns.connect(("127.0.0.1", ${
          port === "own" ? "r.getsockname()[1]" : port
        }))\ns.send(b"x")\nimport time\ntime.sleep(0.1)\ns.send(b"x")\nreturn "sent"`,
      typescript: (port) =>
        port === "own"
          ? `return 1;`
          : `const s = (await import("node:dgram")).createSocket("udp4"); return await new Promise((done, fail) => { s.on("error", fail); s.send("x", ${port}, "127.0.0.1", (e) => { s.close(); e ? fail(e) : done("sent"); }); });`,
    },
  },
  {
    id: "dns",
    what: "resolve a name",
    attack: () => "example.com",
    allowed: () => "localhost",
    code: {
      python: (name) => `return socket.getaddrinfo("${name}", 80)`,
      bash: (name) => `timeout 5 getent ahosts ${name}`,
      typescript: (name) =>
        name === "localhost" ? `return 1;` : `return await Deno.resolveDns(${JSON.stringify(name)}, "A");`,
    },
  },
  {
    id: "unix-socket",
    what: "connect to a Unix socket of the host in a folder that it may read",
    attack: ({ socket }) => socket,
    allowed: () => "pair",
    code: {
      python: (path) =>
        path === "pair"
          ? `a, b = socket.socketpair()\na.send(b"x")\nreturn b.recv(1)`
          : `s = socket.socket(socket.AF_UNIX)\ns.connect(${JSON.stringify(path)})\nreturn "connected"`,
      bash: (path) =>
        path === "pair"
          ? "true"
          : `perl -MIO::Socket::UNIX -e 'IO::Socket::UNIX->new(Peer => "${path}") or die $!'`,
      typescript: (path) =>
        path === "pair"
          ? `return 1;`
          : `await Deno.connect({ transport: "unix", path: ${JSON.stringify(path)} });`,
    },
  },
  {
    id: "ping",
    what: "send raw ICMP",
    attack: () => "socket.SOCK_RAW",
    allowed: () => "socket.SOCK_DGRAM",
    code: {
      python: (type) =>
        `socket.socket(socket.AF_INET, ${type}, ${
          type === "socket.SOCK_RAW" ? 1 : 0
        }).close()\nreturn "made"`,
    },
  },
];
