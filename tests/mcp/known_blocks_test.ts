import { deepEqual, equal } from "node:assert/strict";
import { withKnownBlocks } from "../../src/mcp/known_blocks.ts";

const link = { type: "resource_link", uri: "skillz://results/1", name: "result" };
const audio = { type: "audio", data: "", mimeType: "audio/wav" };
const text = { type: "text", text: "x" };

Deno.test("withKnownBlocks() leaves blocks that a version knows as they are", () => {
  const result = { content: [text, audio, link] };
  for (const version of [undefined, "2025-06-18", "2025-11-25"]) {
    equal(withKnownBlocks(result, version), result);
  }
});

Deno.test("withKnownBlocks() gives older versions a text for what they don't know", () => {
  const result = { content: [text, audio, link], isError: true };
  deepEqual(withKnownBlocks(result, "2025-03-26"), {
    content: [text, audio, { type: "text", text: "result: skillz://results/1" }],
    isError: true,
  });
  deepEqual(withKnownBlocks(result, "2024-11-05").content.map(({ type }) => type), ["text", "text", "text"]);
});
