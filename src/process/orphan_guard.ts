import { MARK_NAME, SERVER_MARK } from "./mark.ts";

/**
 * What the guard runs: it waits until the server has gone (its end of the pipe closes, however it ended), then kills
 * everything that carries the server's mark, until nothing does. It has no mark itself, and the rounds are bounded.
 */
const GUARD_LINUX = `
read -r line
[ "$line" = bye ] && exit 0
for round in 1 2 3 4 5 6 7 8 9 10; do
  found=
  for file in $(grep -ls "$1" /proc/[0-9]*/environ); do
    pid=\${file#/proc/}; pid=\${pid%/environ}
    [ "$pid" = "$$" ] && continue
    found=1; kill -s KILL "$pid"
  done
  [ -z "$found" ] && exit 0
  sleep 0.1
done`;

const GUARD_PS = `
read -r line
[ "$line" = bye ] && exit 0
for round in 1 2 3 4 5 6 7 8 9 10; do
  pids=$(ps -axwwE -o pid=,command= | grep -- "$1" | grep -v grep | awk '{print $1}')
  [ -z "$pids" ] && exit 0
  for pid in $pids; do [ "$pid" = "$$" ] || kill -s KILL "$pid"; done
  sleep 0.1
done`;

/**
 * Starts a small shell that outlives the server and ends its children when it was killed outright and could not do so
 * itself. One for the whole server: children cost nothing more. Disposing it means that the server ended in order.
 *
 * Does nothing on Windows.
 */
export function startOrphanGuard(): AsyncDisposable {
  if (Deno.build.os === "windows") return { [Symbol.asyncDispose]: () => Promise.resolve() };
  const script = Deno.build.os === "linux" ? GUARD_LINUX : GUARD_PS;
  const child = new Deno.Command("/bin/sh", {
    args: ["-c", script, "skillz-guard", `${MARK_NAME}=${SERVER_MARK}.`],
    cwd: "/",
    clearEnv: true,
    env: { PATH: "/usr/bin:/bin" },
    detached: true,
    stdin: "piped",
    stdout: "null",
    stderr: "null",
  }).spawn();
  child.unref();
  return {
    async [Symbol.asyncDispose]() {
      // Nothing else may keep the event loop alive now.
      child.ref();
      const input = child.stdin.getWriter();
      await input.write(new TextEncoder().encode("bye\n")).catch(() => {});
      await input.close().catch(() => {});
      await child.status;
    },
  };
}
