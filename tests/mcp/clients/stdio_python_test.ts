import { needs } from "../../support/needs.ts";
import { STDIO_FIXTURE } from "../../transport/_raw_client.ts";
import { checkPython } from "./_python.ts";

const server = ["stdio", Deno.execPath(), "run", "-A", STDIO_FIXTURE];

Deno.test(
  "Python's current package works over stdio, 2025-11-25",
  { ignore: needs("mcp-python") },
  () => checkPython("current", "legacy", server),
);

Deno.test(
  "Python's current package works over stdio, 2026-07-28",
  { ignore: needs("mcp-python") },
  () => checkPython("current", "modern", server),
);

Deno.test(
  "Python's old package works over stdio",
  { ignore: needs("mcp-python-old") },
  () => checkPython("old", "legacy", server),
);
