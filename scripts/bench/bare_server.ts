import { fileURLToPath } from "node:url";
import { Client } from "./client.ts";

/** Starts the bare loop under `deno run`, as the server is started. */
export function startBare(): Client {
  const loop = fileURLToPath(new URL("./bare_loop.ts", import.meta.url));
  return new Client({ command: [Deno.execPath(), "run", "-A", loop] });
}
