import { createSocket } from "node:dgram";
import { once } from "node:events";
import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SandboxMode } from "../../src/base/sandbox_mode.ts";
import { openBench } from "../support/sandboxed.ts";
import type { Place } from "./attack.ts";

/** Sets up files with secrets, servers of the host, and a sandbox in the given mode. */
export async function openPlace(mode: SandboxMode): Promise<Place> {
  await using undo = new AsyncDisposableStack();
  const bench = undo.use(await openBench(mode));
  const secret = `secret-${crypto.randomUUID()}`;
  const socket = join(bench.root, "server.sock");
  await mkdir(join(bench.home, ".ssh"), { recursive: true });
  await mkdir(join(bench.root, "out"));
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
    socket,
    port: http.addr.port,
    udpPort: udp.address().port,
    pid: Deno.pid,
    arrived: () => datagrams,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
