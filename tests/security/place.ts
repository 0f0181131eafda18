import { createSocket } from "node:dgram";
import { once } from "node:events";
import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SandboxMode } from "../../src/base/sandbox_mode.ts";
import { createEgress } from "../../src/sandbox/egress/create_egress.ts";
import type { OpenEgress } from "../../src/sandbox/egress_port.ts";
import { openBench, TEST_PROGRAMS } from "../support/sandboxed.ts";
import type { Place } from "./attack.ts";
import { openHosts } from "./hosts.ts";

/** Sets up files with secrets, servers of the host, and a sandbox in the given mode; `loosen` changes the way out. */
export async function openPlace(
  mode: SandboxMode,
  loosen: (open: OpenEgress) => OpenEgress = (open) => open,
): Promise<Place> {
  await using undo = new AsyncDisposableStack();
  const secret = `secret-${crypto.randomUUID()}`;
  const hosts = undo.use(await openHosts({ secret, byName: mode !== "none" }));
  const egress = undo.use(createEgress({ programs: TEST_PROGRAMS, resolve: hosts.resolve }));
  const bench = undo.use(await openBench(mode, { openEgress: loosen(egress.open) }));
  const socket = join(bench.root, "server.sock");
  await mkdir(join(bench.home, ".ssh"), { recursive: true });
  for (const name of ["out", "sub"]) await mkdir(join(bench.root, name));
  const files: Record<string, string> = {
    [join(bench.home, ".ssh/id_rsa")]: secret,
    [join(bench.home, "diary.txt")]: secret,
    [join(bench.toolsDir, ".memory.db")]: secret,
    [join(bench.otherTool, "main.py")]: secret,
    [join(bench.tool, "manifest.json")]: "{}",
    [join(bench.tool, "notes.txt")]: secret,
    [join(bench.root, "allowed.txt")]: secret,
    [join(bench.root, "out/made.txt")]: secret,
  };
  for (const [path, text] of Object.entries(files)) await writeFile(path, text);
  await symlink(join(bench.home, ".ssh/id_rsa"), join(bench.root, "planted"));
  await symlink(join(bench.root, "allowed.txt"), join(bench.root, "fine"));
  await symlink("allowed.txt", join(bench.root, "near"));
  const answer = () => new Response(secret);
  const http = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, answer);
  undo.defer(() => http.shutdown());
  const unix = Deno.serve({ path: socket, onListen() {} }, answer);
  undo.defer(() => unix.shutdown());
  await chmod(socket, 0o777);
  const udp = createSocket("udp4");
  let datagrams = 0;
  udp.on("message", () => datagrams++);
  udp.bind(0, "127.0.0.1");
  await once(udp, "listening");
  undo.defer(async () => {
    udp.close();
    await once(udp, "close");
  });
  const resources = undo.move();
  return {
    ...bench,
    secret,
    hosts: hosts.online,
    socket,
    port: http.addr.port,
    udpPort: udp.address().port,
    pid: Deno.pid,
    arrived: () => datagrams,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
