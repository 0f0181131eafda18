import { networkInterfaces } from "node:os";
import type { Online } from "./attack.ts";

/** Names that all lead to the granted address. */
const TO_LOOPBACK = ["api", "other", "sub", "a.sub", "api.example.evil", "loop"].map((name) =>
  `${name}.example`
);

/** What other names of the tests resolve to, whichever of them the tool was granted. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(TO_LOOPBACK.map((name) => [name, ["127.0.0.1"]])),
  "six.example": ["::1"],
  "mapped.example": ["::ffff:127.0.0.1"],
  "zero.example": ["0.0.0.0"],
  "zero6.example": ["::"],
  "metadata.example": ["169.254.169.254", "fd00:ec2::254"],
  "private.example": ["10.255.255.1", "192.168.255.1"],
  "own.example": ownAddresses(),
};

/** Servers that play the Internet, and what names lead to. */
export interface Hosts extends AsyncDisposable {
  readonly online: Online;
  /** Stands for the name server. */
  resolve(host: string): Promise<readonly string[]>;
}

/** Opens them. `byName` says whether the mode looks names up by `resolve`. */
export async function openHosts({ secret, byName }: { secret: string; byName: boolean }): Promise<Hosts> {
  await using undo = new AsyncDisposableStack();
  const otherSecret = `other-${crypto.randomUUID()}`;
  let intrusions = 0;
  const taken = new Set<Deno.Conn>();
  const listen = (hostname: string, port: number): number => {
    const listener = Deno.listen({ hostname, port });
    const serving = (async () => {
      for await (const conn of listener) {
        intrusions++;
        taken.add(conn);
        const text = `HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n${otherSecret}`;
        await conn.write(new TextEncoder().encode(text)).catch(() => {});
        await conn.closeWrite().catch(() => {});
      }
    })();
    undo.defer(async () => {
      listener.close();
      await serving;
    });
    return listener.addr.port;
  };
  const otherPort = listen("127.0.0.1", 0);
  for (const hostname of ["::1", ...ownAddresses()]) {
    try {
      listen(hostname, otherPort);
    } catch {
      // not an address of this machine, or taken: the others do
    }
  }
  undo.defer(() => taken.forEach((conn) => conn.close()));
  const web = undo.use(Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/smuggled") intrusions++;
    if (pathname === "/redirect") return Response.redirect(`http://other.example:${otherPort}/`);
    return new Response(`${secret} host=${request.headers.get("host")}`);
  }));
  const webPort = web.addr.port;
  const asked = new Map<string, number>();
  const owned = undo.move();
  return {
    online: {
      granted: [
        ...["api.example", "127.0.0.1"].map((host) => `${host}:${webPort}`),
        // Granted by name; what they lead to was not.
        ...Object.keys(NAMES).filter((name) =>
          ["loop", "six", "mapped", "zero", "zero6", "metadata", "private", "own"].includes(
            name.split(".")[0] ?? "",
          )
        ),
        ...["*.sub.example", "flip.example", `127.0.0.9:${otherPort}`],
      ],
      web: `${byName ? "api.example" : "127.0.0.1"}:${webPort}`,
      webPort,
      otherPort,
      otherSecret,
      intrusions: () => intrusions,
    },
    resolve(host) {
      const times = (asked.get(host) ?? 0) + 1;
      asked.set(host, times);
      // First an address that was granted, where nobody listens; whoever looks it up again is led elsewhere.
      if (host === "flip.example") return Promise.resolve([times === 1 ? "127.0.0.9" : "127.0.0.1"]);
      const found = NAMES[host];
      return found === undefined ? Promise.reject(new Error("no such name")) : Promise.resolve(found);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Addresses of this machine that are not loopback; one that nobody has where it has no network. */
function ownAddresses(): readonly string[] {
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const found = all.filter(({ internal, family }) => !internal && family === "IPv4").map(({ address }) =>
    address
  );
  return found.length > 0 ? found : ["10.255.255.2"];
}
