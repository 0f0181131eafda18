import { deepEqual } from "node:assert/strict";
import { makeRedactor } from "../../src/base/redact.ts";
import { scrubResult } from "../../src/run/scrub_result.ts";

const redact = makeRedactor(["hunter22"]);
const text = (value: string) => ({ type: "text", text: value });

Deno.test("B46 scrubResult() takes secrets out of all of a failure", () => {
  deepEqual(
    scrubResult({
      content: [text("login with hunter22 failed"), {
        type: "resource",
        resource: { uri: "x:", text: "hunter22" },
      }],
      structuredContent: { error: { message: "hunter22", list: ["a hunter22"] } },
      isError: true,
      _meta: { "x/note": "hunter22" },
    }, redact),
    {
      content: [text("login with [secret] failed"), {
        type: "resource",
        resource: { uri: "x:", text: "[secret]" },
      }],
      structuredContent: { error: { message: "[secret]", list: ["a [secret]"] } },
      isError: true,
      _meta: { "x/note": "[secret]" },
    },
  );
});

Deno.test("B46 scrubResult() leaves what a tool answers, but not its metadata", () => {
  deepEqual(
    scrubResult({
      content: [text("hunter22")],
      structuredContent: { a: "hunter22" },
      _meta: { a: "hunter22" },
    }, redact),
    { content: [text("hunter22")], structuredContent: { a: "hunter22" }, _meta: { a: "[secret]" } },
  );
});
