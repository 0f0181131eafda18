import assert from "node:assert/strict";
import { featuresFor } from "./_features.ts";
import { HTTP_CLIENTS } from "./_http_clients.ts";
import { STDIO_CLIENTS } from "./_stdio_clients.ts";

const DOCUMENT = new URL("../../../docs/clients.md", import.meta.url);

/** What Python's script and the Inspector are checked for, in the words of the table. */
const MORE_CLIENTS: Readonly<Record<string, readonly string[]>> = {
  "Python `mcp` 2.3, 2025-11-25": ["stdio", "/mcp", "/sse"],
  "Python `mcp` 2.3, 2026-07-28": ["stdio", "/mcp"],
  "Python `mcp` 1.30": ["stdio", "/mcp", "/sse"],
  "Inspector 2.12 `--cli`": ["stdio", "/mcp", "/sse"],
};

const HEAD = `# Clients

Each row is a test with a real client against a real server. This file is written by the tests
(\`SKILLZ_UPDATE_DOCS=1\`); a client, transport or feature that is not in it is not tested.

`;

const TAIL = `
Besides, these are run whole, over every transport named: tools (list, call, errors, progress), forms,
sampling, roots, prompts, resources and list changes for Python; a call, \`--strict\` schemas and \`--verify\`
skills for the Inspector.

`;

function document(): string {
  const labels = [...Object.keys(STDIO_CLIENTS), ...Object.keys(HTTP_CLIENTS)];
  const columns = labels.map((label) => new Set(featuresFor(label).map(({ name }) => name)));
  const rows = [...new Set(columns.flatMap((names) => [...names]))].map((
    name,
  ) => [name.replace(/^B\d+ /, ""), ...columns.map((names) => names.has(name) ? "yes" : "–")]);
  const more = Object.entries(MORE_CLIENTS).map((
    [client, transports],
  ) => [
    client,
    ...["stdio", "/mcp", "/sse"].map((transport) => transports.includes(transport) ? "yes" : "–"),
  ]);
  return HEAD + table([["a client …", ...labels], ...rows]) + TAIL +
    table([["client", "stdio", "/mcp", "/sse"], ...more]) +
    "\n“–”: that version of the protocol has no such thing, or that client has no such transport.\n";
}

/** A table as `deno fmt` wants it. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |\n`;
  const padded = rows.map((row) => line(row.map((cell, column) => cell.padEnd(widths[column] ?? 0))));
  return [padded[0], line(widths.map((width) => "-".repeat(width))), ...padded.slice(1)].join("");
}

Deno.test("docs/clients.md says what the tests prove (SKILLZ_UPDATE_DOCS=1 writes it)", async () => {
  if (Deno.env.get("SKILLZ_UPDATE_DOCS") === "1") await Deno.writeTextFile(DOCUMENT, document());
  assert.equal(await Deno.readTextFile(DOCUMENT), document());
});
