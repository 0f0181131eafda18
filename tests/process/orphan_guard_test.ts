import { equal, ok } from "node:assert/strict";
import { startOrphanGuard } from "../../src/process/orphan_guard.ts";
import { MARK_NAME } from "../../src/process/mark.ts";
import { OWN_VARIABLES } from "../../src/base/own_variables.ts";
import { readLines } from "../../src/process/rpc/lines.ts";
import { spawnProcess } from "../../src/process/spawn.ts";
import { bash, isGone } from "../support/script_fixture.ts";
import { waitFor } from "../support/wait_for.ts";

const SERVER = `
import { startOrphanGuard } from "${new URL("../../src/process/orphan_guard.ts", import.meta.url)}";
import { spawnProcess } from "${new URL("../../src/process/spawn.ts", import.meta.url)}";
if (Deno.args[0] === "guarded") startOrphanGuard();
const line = "trap '' TERM; setsid sleep 1000 >/dev/null 2>&1 </dev/null & echo $!; sleep 1000";
const env = { PATH: "/usr/bin:/bin" };
const child = spawnProcess({ command: "bash", args: ["-c", line], cwd: "/", env });
const reader = child.stdout.getReader();
const { value } = await reader.read();
console.log(child.pid + " " + new TextDecoder().decode(value).trim());
await child.status;
`;

/** Starts a server of its own and kills it outright; gives the ids of its child and of that one's daemon. */
async function killServer(mode: string): Promise<number[]> {
  const spec = { ...bash(""), command: Deno.execPath(), args: ["eval", "--no-lock", SERVER, mode] };
  await using server = spawnProcess({ ...spec, env: { ...spec.env, HOME: "/nonexistent" } });
  for await (const line of readLines(server.stdout)) {
    const pids = line.split(" ").map(Number);
    equal(pids.length, 2);
    for (const pid of pids) ok(!await isGone(pid));
    Deno.kill(server.pid, "SIGKILL");
    await server.status;
    return pids;
  }
  throw new Error(`The server said nothing: ${server.stderrTail()}`);
}

Deno.test("B12 startOrphanGuard() ends children and daemons of a server that was killed", {
  ignore: Deno.build.os === "windows",
}, async () => {
  const pids = await killServer("guarded");
  await waitFor(async () => (await Promise.all(pids.map(isGone))).every(Boolean));
});

Deno.test("children and daemons of a killed server live on without startOrphanGuard()", {
  ignore: Deno.build.os === "windows",
}, async () => {
  for (const pid of await killServer("unguarded")) {
    equal(await isGone(pid), false);
    Deno.kill(pid, "SIGKILL");
  }
});

Deno.test("startOrphanGuard() ends in order, and touches no child then", async () => {
  await using child = spawnProcess(bash("cat"));
  {
    await using _guard = startOrphanGuard();
  }
  await child.write("here\n");
  await child.endInput();
  equal(await new Response(child.stdout).text(), "here\n");
});

Deno.test("the marker is a variable of the server's own, never taken for a secret of tools", () => {
  ok((OWN_VARIABLES as readonly string[]).includes(MARK_NAME));
});
