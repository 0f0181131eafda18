import type { Attack, Place } from "../attack.ts";
import { BY_HAND, connect, get, granted, socks, socksName, type Talk } from "./by_hand.ts";

/** Asks one address, or several, in every way that the language has: whole address, CONNECT, SOCKS. */
function ask(id: string, { what, hosts, gap, twin, wanted }: {
  what: string;
  hosts: (place: Place) => readonly string[];
  gap?: string;
  /** Granted name of the twin. */
  twin?: string;
  /** What shows success where dialling in vain is none. */
  wanted?: (place: Place) => string;
}): Attack {
  return {
    id: `online-${id}`,
    what,
    setting: "online",
    attack: (place) => JSON.stringify({ hosts: hosts(place), wanted: wanted?.(place) } satisfies Asked),
    allowed: ({ hosts: { web, webPort } }) => {
      const name = twin === undefined || web.startsWith("127.") ? web : `${twin}:${webPort}`;
      return JSON.stringify({ hosts: [name] } satisfies Asked);
    },
    ...(gap === undefined ? {} : { gaps: { deno: gap } }),
    code: {
      python: (target) => BY_HAND.python(everyWay(target)),
      bash: (target) => BY_HAND.bash(everyWay(target)),
      typescript: (target) =>
        `const { hosts, wanted } = ${target} as { hosts: string[]; wanted?: string };
let last: unknown;
for (const host of hosts) {
  try {
    const answer = await fetch("http://" + host + "/", { signal: AbortSignal.timeout(20_000) });
    const text = await answer.text();
    const refused = answer.status === 403 || answer.status === 400;
    if (wanted === undefined ? !refused : text.includes(wanted)) return answer.status + text;
    last = new Error("refused by the proxy: " + answer.status);
  } catch (e) { last = e; }
}
throw last;`,
    },
  };
}

interface Asked {
  readonly hosts: readonly string[];
  readonly wanted?: string | undefined;
}

function everyWay(target: string): string {
  const { hosts, wanted } = JSON.parse(target) as Asked;
  const messages = hosts.flatMap((host) => {
    const [, name = "", port = ""] = /^(.*):(\d+)$/.exec(host) ?? [];
    const bare = name.replace(/^\[|\]$/g, "");
    return [get(`http://${host}/`), connect(host), socks(socksName(bare), { port: Number(port) })];
  });
  return JSON.stringify({ messages, ...(wanted === undefined ? {} : { wanted }) } satisfies Talk);
}

/** Says things to the proxy that no library would. */
function say(id: string, { what, talk, code = {} }: {
  what: string;
  talk: (place: Place) => Talk;
  code?: Attack["code"];
}): Attack {
  return {
    id: `online-${id}`,
    what,
    setting: "online",
    attack: (place) => JSON.stringify(talk(place)),
    allowed: granted,
    code: { ...BY_HAND, ...code },
  };
}

const NAMES_ONLY = "Deno checks names, not the addresses that they resolve to";
const at = (...names: string[]) => ({ hosts }: Place) => names.map((name) => `${name}:${hosts.otherPort}`);

/** Attacks by names and addresses, of a tool that was granted some hosts. */
export const ONLINE_ATTACKS: readonly Attack[] = [
  ask("other-host", {
    what: "ask a host that was not granted, beside one that was",
    hosts: at("other.example"),
  }),
  ask("other-port", { what: "ask a granted host at another port", hosts: at("api.example", "127.0.0.1") }),
  ask("look-alike", {
    what: "ask a host whose name only begins like a granted one",
    hosts: at("api.example.evil.example"),
  }),
  ask("apex", {
    what: "ask example.com where *.example.com was granted",
    hosts: at("sub.example"),
    twin: "a.sub.example",
  }),
  ask("rebind", {
    what: "ask a granted name that resolves to loopback",
    hosts: at("loop.example"),
    gap: NAMES_ONLY,
  }),
  ask("rebind-6", {
    what: "ask a granted name that resolves to ::1",
    hosts: at("six.example"),
    gap: NAMES_ONLY,
  }),
  ask("rebind-mapped", {
    what: "ask a granted name that resolves to ::ffff:127.0.0.1",
    hosts: at("mapped.example"),
    gap: NAMES_ONLY,
  }),
  ask("rebind-zero", {
    what: "ask a granted name that resolves to 0.0.0.0 or ::",
    hosts: at("zero.example", "zero6.example"),
    gap: NAMES_ONLY,
  }),
  ask("rebind-own", {
    what: "ask a granted name that resolves to another address of the machine",
    hosts: at("own.example"),
    gap: NAMES_ONLY,
  }),
  ask("rebind-metadata", {
    what: "ask a granted name that resolves to the cloud's metadata address",
    hosts: () => ["metadata.example:80"],
    gap: NAMES_ONLY,
  }),
  ask("rebind-private", {
    what: "ask a granted name that resolves to a private address",
    hosts: () => ["private.example:80"],
    gap: NAMES_ONLY,
  }),
  ask("rebind-later", {
    what: "ask a granted name that resolves to something else at the second look",
    // The first answer was granted itself and is dialled, in vain.
    hosts: at("flip.example", "flip.example", "flip.example"),
    wanted: ({ hosts }) => hosts.otherSecret,
    gap: NAMES_ONLY,
  }),
  ask("spellings", {
    what: "write loopback in another way",
    hosts: at(
      ...[
        "2130706433",
        "0x7f000001",
        "0x7f.1",
        "0177.0.0.1",
        "127.1",
        "127.0.0.1.",
        "127.0.0.2",
        "localhost",
      ],
      ...["[::1]", "[::ffff:127.0.0.1]", "[0:0:0:0:0:ffff:7f00:1]", "0.0.0.0", "0", "[::]"],
    ),
  }),
  ask("metadata", {
    what: "ask the cloud's metadata by its address",
    hosts: () => ["169.254.169.254:80", "100.100.100.200:80", "[fd00:ec2::254]:80", "0xa9fea9fe:80"],
  }),
  say("authority", {
    what: "an authority that two readers understand differently",
    talk: ({ hosts: { web, otherPort, otherSecret } }) => ({
      messages: [
        ...["@", "#", "?", "/", "\\", "%00", "%23@", " ", "\t", "\0", ";", ","].flatMap((between) => [
          connect(`${web}${between}127.0.0.1:${otherPort}`),
          connect(`127.0.0.1:${otherPort}${between}${web}`),
          get(`http://${web}${between}127.0.0.1:${otherPort}/`),
          get(`http://127.0.0.1:${otherPort}${between}${web}/`),
        ]),
        ...[`${web}:${otherPort}`, `:${otherPort}`, `[::1]@${web}`, `http://127.0.0.1:${otherPort}`].map(
          connect,
        ),
      ],
      wanted: otherSecret,
    }),
  }),
  say("host-header", {
    what: "name another host in the Host header than in the address",
    talk: ({ hosts: { web } }) => ({
      messages: [
        get(`http://${web}/`, "Host: internal.example\r\n"),
        get(`http://${web}/`, `Host: ${web}\r\nHost: internal.example\r\n`),
        get(`http://${web}/`, "X: 1\r\n Host: internal.example\r\n"),
        get(`http://${web}/`, "Connection: host\r\nHost: internal.example\r\n"),
        get(`http://${web}/`, "hOST:internal.example\r\n"),
      ],
      wanted: "host=internal.example",
    }),
    code: {
      typescript: (target, { hosts }) =>
        `const r = await fetch("http://${hosts.web}/", ${
          target.includes("internal.example") ? `{ headers: { host: "internal.example" } }` : "{}"
        }); const t = await r.text(); if (!t.includes(${
          JSON.stringify((JSON.parse(target) as Talk).wanted)
        })) throw new Error("another one came: " + t); return t;`,
    },
  }),
  say("smuggling", {
    what: "hide a second request behind the first",
    talk: ({ hosts: { web, otherPort, otherSecret } }) => {
      const [url, second] = [`http://${web}/`, get(`http://127.0.0.1:${otherPort}/`)];
      const post = (headers: string, body: string) => `POST ${url} HTTP/1.1\r\n${headers}\r\n${body}`;
      const own = "GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n";
      return {
        messages: [second, own].flatMap((hidden) => [
          get(url) + hidden,
          post(`Content-Length: 0\r\nTransfer-Encoding: chunked\r\n`, `0\r\n\r\n${hidden}`),
          post(`Content-Length: 0\r\nContent-Length: ${hidden.length}\r\n`, hidden),
          post(`Transfer-Encoding : chunked\r\nContent-Length: 0\r\n`, hidden),
          post(`Transfer-Encoding: xchunked\r\n`, `0\r\n\r\n${hidden}`),
          post(`Transfer-Encoding: chunked\r\n`, `0\r\n\r\n${hidden}`),
          get(url, `X: a\n\n${hidden}`),
          get(url, `X: a\r\r\n${hidden}`),
          get(`${url}\r\nHost: y\r\n\r\n${hidden}`),
        ]),
        wanted: otherSecret,
      };
    },
    code: {
      typescript: (target, { hosts }) =>
        `const r = await fetch("http://${hosts.web}/", { headers: { x: ${
          target.includes("/smuggled") ? `"a\\r\\n\\r\\nGET /smuggled HTTP/1.1\\r\\nHost: x"` : `"a"`
        } } }); return await r.text();`,
    },
  }),
  say("socks", {
    what: "go to an address by SOCKS",
    talk: ({ hosts: { otherPort: port } }) => ({
      messages: [
        socks([1, 127, 0, 0, 1], { port }),
        socks([4, ...new Array<number>(15).fill(0), 1], { port }),
        socks([4, ...new Array<number>(10).fill(0), 255, 255, 127, 0, 0, 1], { port }),
        socks([1, 0, 0, 0, 0], { port }),
        socks([1, 169, 254, 169, 254], { port: 80 }),
        socks(socksName("other.example"), { port }),
        socks(socksName("api.example\0.other.example"), { port }),
      ],
    }),
  }),
  say("socks-commands", {
    what: "listen on the host, or send datagrams, by SOCKS",
    talk: ({ hosts: { otherPort: port } }) => ({
      messages: [2, 3, 0, 255].map((command) => socks([1, 127, 0, 0, 1], { port, command })),
    }),
  }),
  say("socks-4", {
    what: "speak SOCKS 4",
    talk: ({ hosts: { otherPort, otherSecret } }) => ({
      messages: [`\x04\x01${String.fromCharCode(otherPort >> 8, otherPort & 255)}\x7f\0\0\x01\0\r\n\r\n`],
      wanted: otherSecret,
    }),
  }),
  say("direct-number", {
    what: "speak the language of the proxy's inner end",
    talk: ({ hosts: { otherSecret } }) => ({
      messages: [1, 2, 3, 127, 255].map((n) => `\0${String.fromCharCode(n)}GET / HTTP/1.0\r\n\r\n`),
      wanted: otherSecret,
    }),
  }),
];
