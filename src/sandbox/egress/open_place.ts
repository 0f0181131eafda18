import { lookup } from "node:dns/promises";
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import seccomp from "../data/seccomp.json" with { type: "json" };
import type { EgressProxy, EgressRequest } from "../egress_port.ts";
import type { EgressOptions } from "./create_egress.ts";
import { Grants } from "./grants.ts";
import { findInnerEnd, type InnerEnd } from "./inner_end.ts";
import { JobProxy } from "./job_proxy.ts";
import { EGRESS_LIMITS } from "./limits.ts";
import nodeHook from "./node_proxy.cjs" with { type: "text" };
import { proxyEnv } from "./proxy_env.ts";
import denoRelay from "./relay.js" with { type: "text" };
import perlRelay from "./relay.pl" with { type: "text" };
import sealScript from "./seal.js" with { type: "text" };
import type { Target } from "./target.ts";

/** What the proxies of all jobs share: a folder with their sockets, and how the inner end is started. */
export interface EgressPlace extends AsyncDisposable {
  /** Opens the proxy of one job. */
  open(request: Pick<EgressRequest, "hosts" | "services">): EgressProxy;
}

/** Port of the proxy inside: of those that nobody was given, and that the kernel does not hand out by itself. */
const PROXY_PORT = 17_317;
/** Lower ones can't be listened on without privileges. */
const FIRST_FREE_PORT = 1024;
/** The relay tells a direct port by one byte. */
const MAX_DIRECT = 256;

/** Makes the folder and finds the program for the inner end. */
export async function openPlace(options: EgressOptions, signal: AbortSignal): Promise<EgressPlace> {
  // Short, because the path of a Unix socket is bounded to some 100 bytes.
  const folder = await realpath(await mkdtemp(join(options.tempRoot ?? tmpdir(), "skillz-net-")));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const put = async (name: string, data: string | Uint8Array) => {
      await writeFile(join(folder, name), data, { mode: 0o444 });
      return join(folder, name);
    };
    const [hook, perl, deno, program, script] = await Promise.all([
      put("node_proxy.cjs", nodeHook),
      put("relay.pl", perlRelay),
      put("relay.js", denoRelay),
      put("seal.bpf", Uint8Array.fromBase64(seccomp[Deno.build.arch].seal)),
      put("seal.js", sealScript),
    ]);
    const seal = { program, script };
    const inner = await findInnerEnd({ programs: options.programs, relays: { perl, deno }, seal, signal });
    return {
      open: (request) => openProxy(request, { folder, hook, inner, ...options }),
      [Symbol.asyncDispose]: remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

interface ProxyParts extends EgressOptions {
  readonly folder: string;
  readonly hook: string;
  readonly inner: InnerEnd;
}

function openProxy(
  { hosts, services }: Pick<EgressRequest, "hosts" | "services">,
  { folder, hook, inner, resolve = resolveHost, limits = EGRESS_LIMITS }: ProxyParts,
): EgressProxy {
  const grants = new Grants(hosts, services);
  const loopback = grants.loopbackTargets();
  const direct = onePerPort(loopback);
  const socketPath = join(folder, `${crypto.randomUUID().slice(0, 13)}.sock`);
  const proxy = new JobProxy({ socketPath, grants, direct, resolve, limits });
  const covered = loopback.every(({ port }) => direct.some((target) => target.port === port));
  const env = proxyEnv({
    port: PROXY_PORT,
    directLoopback: covered && !grants.wholeLoopback,
    nodeHook: hook,
  });
  const ports = [PROXY_PORT, ...direct.map((target) => target.port)];
  return {
    socketPath,
    needs: [hook, ...inner.needs],
    env: () => env,
    command: (command) => inner.wrap(command, { socketPath, ports }),
    denied: () => proxy.denied(),
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await rm(socketPath, { force: true });
    },
  };
}

function onePerPort(targets: readonly Target[]): Target[] {
  const byPort = new Map(targets.map((target) => [target.port, target]));
  return [...byPort.values()].filter(({ port }) => port >= FIRST_FREE_PORT && port !== PROXY_PORT)
    .slice(0, MAX_DIRECT);
}

async function resolveHost(host: string): Promise<string[]> {
  return (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address);
}
