import { deepEqual, equal } from "node:assert/strict";
import { Bus, type ChangeEvent } from "../../src/base/bus.ts";
import { errorText, SkillzError } from "../../src/base/errors.ts";
import { sha256 } from "../../src/base/hash.ts";
import { isJsonObject, jsonTypeOf } from "../../src/base/json.ts";
import { makeRedactor } from "../../src/base/redact.ts";
import { errorResult, okResult, resultText } from "../../src/base/tool_result.ts";

Deno.test("errorText() gives the message with its hint", () => {
  equal(errorText(new SkillzError("failed", "Cannot a: b", { hint: "Do c" })), "Cannot a: b. Do c");
  equal(errorText(new SkillzError("failed", "Cannot a: b")), "Cannot a: b");
  equal(errorText(new TypeError("X")), "X");
  equal(errorText("y"), "y");
});

Deno.test("SkillzError keeps its cause and data, and invents none", () => {
  const cause = new Error("A");
  const error = new SkillzError("limit", "Cannot a: b", { cause, data: { most: 1 } });
  deepEqual([error.code, error.cause, error.data, error.hint], ["limit", cause, { most: 1 }, undefined]);
  equal("cause" in new SkillzError("failed", "Cannot a: b"), false);
});

Deno.test("isJsonObject() and jsonTypeOf() tell null and arrays from objects", () => {
  deepEqual([{}, [], null, "x", 1].map(isJsonObject), [true, false, false, false, false]);
  deepEqual([{}, [], null, "x", 1].map(jsonTypeOf), ["object", "array", "null", "string", "number"]);
});

Deno.test("sha256() gives the known digests of texts and bytes", async () => {
  equal(await sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  equal(await sha256("abc"), await sha256(new Uint8Array([97, 98, 99])));
  equal(await sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});

Deno.test("makeRedactor() leaves short values and texts without secrets alone", () => {
  equal(makeRedactor([])("abcd"), "abcd");
  const redact = makeRedactor(["abc", "a.c+d", "line\nbreak"]);
  equal(redact("abc a.c+d axc+d"), "abc [secret] axc+d");
  equal(redact(JSON.stringify("line\nbreak")), '"[secret]"');
  equal(redact(`https://x/?q=${encodeURIComponent("line\nbreak")}`), "https://x/?q=[secret]");
  equal(makeRedactor(["\ud800abc"])("a \ud800abc"), "a [secret]");
});

Deno.test("makeRedactor() leaves words and numbers alone that many settings are made of", () => {
  const redact = makeRedactor(["true", "FALSE", "null", "8080", "80801", "truest"]);
  equal(redact("true FALSE null 8080"), "true FALSE null 8080");
  equal(redact("80801 truest"), "[secret] [secret]");
});

Deno.test("resultText() joins the text blocks of results", () => {
  equal(resultText(okResult("a")), "a");
  equal(errorResult("b", { c: 1 }).isError, true);
  equal(
    resultText({ content: [{ type: "image" }, { type: "text", text: "x" }, { type: "text", text: "y" }] }),
    "x\ny",
  );
});

Deno.test("Bus tells every listener, also after one that throws, until it is unsubscribed", async () => {
  const bus = new Bus();
  const heard: ChangeEvent[] = [];
  const errors: unknown[] = [];
  const onError = (event: ErrorEvent) => {
    event.preventDefault();
    errors.push(event.error);
  };
  globalThis.addEventListener("error", onError);
  try {
    bus.subscribe(() => {
      throw new Error("Listener");
    });
    const stop = bus.subscribe((event) => heard.push(event));
    bus.publish({ kind: "memory", change: "updated", namespace: "a" });
    stop();
    stop();
    bus.publish({ kind: "memory", change: "updated", namespace: "b" });
    await new Promise((resolve) => setTimeout(resolve, 0));
  } finally {
    globalThis.removeEventListener("error", onError);
  }
  deepEqual(heard, [{ kind: "memory", change: "updated", namespace: "a" }]);
  equal(errors.length, 2);
});
