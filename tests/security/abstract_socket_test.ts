import assert from "node:assert/strict";
import { createServer } from "node:net";
import { once } from "node:events";
import { needs } from "../support/needs.ts";
import { openBench } from "../support/sandboxed.ts";

// The shared network namespace is that of the display's and the message bus' abstract sockets as well.
for (const mode of ["bubblewrap", "nsjail", "firejail"] as const) {
  Deno.test({
    name: `the whole network is no way to abstract sockets of the host in ${mode}`,
    ignore: needs("python3", mode === "bubblewrap" ? "bwrap" : mode),
    async fn() {
      await using bench = await openBench(mode);
      const server = createServer((socket) => socket.end()).listen(0, "127.0.0.1");
      await once(server, "listening");
      try {
        const address = server.address();
        const port = typeof address === "object" ? address?.port : undefined;
        const code =
          `import socket\nsocket.create_connection(("127.0.0.1", ${port}), 5)\nprint("reached")\nsocket.socket(socket.AF_UNIX)`;
        const result = await bench.run({ command: ["python3", "-c", code], permissions: { net: true } });
        assert.equal(result.stdout.trim(), "reached", result.stderr);
        assert.notEqual(result.code, 0);
        assert.match(result.stderr, /PermissionError|OSError/);
      } finally {
        server.close();
      }
    },
  });
}
