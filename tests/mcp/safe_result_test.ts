import assert from "node:assert/strict";
import { isCallToolResult } from "@modelcontextprotocol/server";
import type { ToolResult } from "../../src/base/tool_result.ts";
import { safeResult } from "../../src/mcp/safe_result.ts";

const good: ToolResult = {
  content: [
    { type: "text", text: "a" },
    { type: "image", data: "AAAA", mimeType: "image/png" },
    { type: "audio", data: "AAAA", mimeType: "audio/wav" },
    { type: "resource_link", uri: "x://y", name: "y" },
    { type: "resource", resource: { uri: "x://y", text: "t" } },
    { type: "resource", resource: { uri: "x://y", blob: "AAAA" } },
  ],
  structuredContent: { a: 1 },
};

Deno.test("safeResult() leaves a good result as it is", () => {
  assert.equal(safeResult(good), good);
  assert.ok(isCallToolResult(good));
});

Deno.test("safeResult() turns each odd block into a text that shows it, and keeps the rest", () => {
  const odd = [
    { type: "video", data: "x" },
    { type: "text", text: 5 },
    { type: "text" },
    { type: "image", data: "%%", mimeType: "image/png" },
    { type: "image", data: "AAAA" },
    { type: "resource", resource: { uri: 5 } },
    { type: "resource" },
    { type: "resource_link", uri: "x://y" },
  ];
  const safe = safeResult({ ...good, content: [...good.content, ...odd], isError: true });
  assert.deepEqual(safe.content.slice(0, good.content.length), good.content);
  assert.deepEqual(
    safe.content.slice(good.content.length).map(({ text }) => text),
    odd.map((block) => JSON.stringify(block)),
  );
  assert.equal(safe.isError, true);
  assert.ok(isCallToolResult(safe));
});
