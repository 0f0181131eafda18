import { deepEqual, equal, match, rejects, throws } from "node:assert/strict";
import { SkillzError } from "../../src/base/errors.ts";
import type { ProgressUpdate } from "../../src/run/call_context.ts";
import { childContext } from "../../src/run/child_context.ts";
import { FairQueue } from "../../src/run/fair_queue.ts";
import { Progress } from "../../src/run/progress.ts";
import { detectInterpreter } from "../../src/run/script/detect_interpreter.ts";
import { grantedSecrets, scriptEnvironment } from "../../src/run/script/environment.ts";
import { parseMessage } from "../../src/run/script/message.ts";
import { workspaceRoots } from "../../src/run/workspace_roots.ts";
import { testManifest } from "../support/test_manifest.ts";
import { testCaller, testContext } from "./_fixture.ts";

const signal = new AbortController().signal;

Deno.test("FairQueue bounds what runs, and takes sessions in turn", async () => {
  const queue = new FairQueue(1);
  const order: string[] = [];
  const first = await queue.enter({ session: "a", depth: 0, signal });
  const enter = (session: string, name: string) =>
    queue.enter({ session, depth: 0, signal }).then((slot) => {
      order.push(name);
      slot[Symbol.dispose]();
    });
  const all = [enter("a", "a1"), enter("a", "a2"), enter("a", "a3"), enter("b", "b1")];
  deepEqual(queue.counts(), { running: 1, waiting: 4 });
  first[Symbol.dispose]();
  first[Symbol.dispose]();
  await Promise.all(all);
  deepEqual(order, ["a1", "b1", "a2", "a3"]);
  deepEqual(queue.counts(), { running: 0, waiting: 0 });
});

Deno.test("FairQueue lets a nested call in while its parent holds the only place", async () => {
  const queue = new FairQueue(1);
  using _parent = await queue.enter({ session: "a", depth: 0, signal });
  using _child = await queue.enter({ session: "a", depth: 1, signal });
  equal(queue.counts().running, 2);
});

Deno.test("FairQueue drops a call that is cancelled while it waits", async () => {
  const queue = new FairQueue(1);
  const slot = await queue.enter({ session: "a", depth: 0, signal });
  const stop = new AbortController();
  const waiting = queue.enter({ session: "a", depth: 0, signal: stop.signal });
  stop.abort(new Error("enough"));
  await rejects(waiting, /enough/);
  await rejects(queue.enter({ session: "a", depth: 0, signal: stop.signal }), /enough/);
  slot[Symbol.dispose]();
  deepEqual(queue.counts(), { running: 0, waiting: 0 });
});

Deno.test("Progress only rises, and notes of calls below stay under the next own value", () => {
  const seen: ProgressUpdate[] = [];
  const progress = new Progress((update) => void seen.push(update));
  progress.nested({ progress: 50, total: 100, message: "below" });
  progress.own({ progress: 1, total: 10 });
  for (let i = 0; i < 100; i++) progress.nested({ progress: i });
  progress.own({ progress: 1 });
  progress.own({ progress: NaN });
  progress.own({ progress: 2, total: 10 });
  const values = seen.map((update) => update.progress);
  deepEqual(values, [...values].sort((a, b) => a - b));
  equal(new Set(values).size, values.length);
  equal(seen.length, 103);
  equal(values.at(-1), 2);
  equal(seen[0]?.message, "below");
  equal(values.slice(1, -1).every((value) => value >= 1 && value < 1.02), true);
});

Deno.test("childContext() goes deeper, keeps the far side, and hands notes up", async () => {
  const { caller, heard } = testCaller({ answer: () => ({ ok: true }), roots: ["/w"] });
  const parent = testContext({ caller, chain: ["a"], depth: 1, meta: { progressToken: 1 } });
  const progress = new Progress((update) => caller.progress(update));
  const child = childContext(parent, { tool: "b", progress });
  deepEqual([child.depth, child.chain, child.meta], [2, ["a", "b"], { progressToken: 1 }]);
  equal(child.caller.capabilities, caller.capabilities);
  child.caller.log("info", "note");
  child.caller.progress({ progress: 5, message: "m" });
  deepEqual(await child.caller.ask({ method: "roots/list", params: {} }, signal), { ok: true });
  equal(heard.logs.length, 1);
  equal(heard.progress[0]?.message, "m");
  deepEqual(await workspaceRoots(child, ["/configured"]), ["/w"]);
  deepEqual(await workspaceRoots(testContext(), ["/configured"]), ["/configured"]);
});

Deno.test("detectInterpreter() knows languages by the names that people and models give them", () => {
  for (
    const [given, interpreter, extension] of [
      ["python", "python3", "py"],
      ["Python -u", "python3 -u", "py"],
      ["py", "python3", "py"],
      ["typescript", "deno run", "ts"],
      ["ts", "deno run", "ts"],
      ["TypeScript", "deno run", "ts"],
      ["javascript", "node", "js"],
      ["js", "node", "js"],
      ["rb", "ruby", "rb"],
      ["shell", "sh", "sh"],
      ["/usr/bin/python", "/usr/bin/python", "py"],
      ["constructor", "constructor", "constructor"],
    ] as const
  ) {
    deepEqual(detectInterpreter({ interpreter: given, code: "x" }), { interpreter, extension }, given);
  }
});

Deno.test("detectInterpreter() goes by interpreter, extension, and #! line, in this order", () => {
  const detect = (code: string, hints = {}) => {
    const { interpreter, extension } = detectInterpreter({ code, ...hints });
    return `${interpreter} .${extension}`;
  };
  equal(detect("", { interpreter: "python3 -u" }), "python3 -u .py");
  equal(detect("", { interpreter: "/opt/bin/python3.11" }), "/opt/bin/python3.11 .py");
  equal(detect("", { interpreter: "node" }), "node .js");
  equal(detect('import fs from "node:fs";', { interpreter: "node" }), "node .mjs");
  equal(detect("", { interpreter: "deno run -A" }), "deno run .ts");
  equal(detect("", { interpreter: "lua5.4" }), "lua5.4 .lua");
  equal(detect("", { extension: ".TS" }), "deno run .ts");
  equal(detect("", { extension: "sh" }), "bash .sh");
  equal(detect("#!/bin/sh\n", { extension: "py" }), "python3 .py");
  equal(detect("#!/usr/bin/env python\n"), "python3 .py");
  equal(detect("#!/usr/bin/env -S deno run --allow-all\n"), "deno run .ts");
  equal(detect("#!/usr/local/bin/bash -eu\n"), "bash -eu .sh");
  equal(detect("#!/opt/weird/tool --flag\n", { extension: "wd" }), "/opt/weird/tool --flag .wd");
  for (
    const hints of [
      {},
      { extension: "xyz" },
      { interpreter: " " },
      { interpreter: "-rf" },
      { interpreter: "./run.sh" },
      { interpreter: "../bin/sh -e" },
      { extension: "../x" },
    ]
  ) {
    throws(
      () => detect("print(1)", hints),
      (error) =>
        error instanceof SkillzError && error.code === "invalid_input" &&
        /python3.*deno run.*bash/.test(error.hint ?? ""),
    );
  }
});

Deno.test("B46 grantedSecrets() gives what the manifest lets through, and nothing of the server", () => {
  const secrets = { SKILLZ_A: "1", SKILLZ_B: "2" };
  const granted = (changes: Parameters<typeof testManifest>[1]) =>
    grantedSecrets(testManifest("t", changes), { secrets });
  deepEqual(granted({}), secrets);
  deepEqual(granted({ env: ["SKILLZ_A"] }), { SKILLZ_A: "1" });
  deepEqual(granted({ permissions: {} }), {});
  deepEqual(granted({ permissions: { env: ["SKILLZ_B", "PATH"] } }), { SKILLZ_B: "2" });
  deepEqual(
    scriptEnvironment(testManifest("t", { env: [] }), {
      safe: { PATH: "/bin", HOME: "/root" },
      secrets,
      scratch: "/s",
    }),
    { PATH: "/bin", HOME: "/s", TMPDIR: "/s" },
  );
});

Deno.test("parseMessage() tells messages, noise, and broken messages apart", () => {
  const kind = (line: string) => parseMessage(line).kind;
  equal(kind('{"jsonrpc":"2.0","id":1,"result":null}'), "answer");
  equal(kind('{"id":1,"result":{}}'), "answer");
  equal(kind('{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m"}}'), "failure");
  equal(kind('{"jsonrpc":"2.0","id":1,"error":"m"}'), "failure");
  equal(kind('{"jsonrpc":"2.0","method":"log"}'), "notification");
  equal(kind('{"jsonrpc":"2.0","method":"log","id":0}'), "request");
  equal(kind('{"jsonrpc":"2.0","method":"log","params":[1]}'), "notification");
  for (
    const noise of [
      "",
      "text",
      "[1]",
      "{}",
      '{"level":"info"}',
      '{"a": ',
      '{"jsonrpc":"2.0"}',
      "null",
      '{"method":"x"}',
    ]
  ) {
    equal(kind(noise), "noise", noise);
  }
  const broken = parseMessage('{"jsonrpc":"2.0","id":1,"result":{"a":-Infinity}}');
  equal(broken.kind, "broken");
  match(broken.kind === "broken" ? broken.reason : "", /-Infinity/);
  equal(kind('{"jsonrpc":"2.0","id":1,"resu'), "broken");
  equal(kind('\u001b[0m {"jsonrpc":"2.0","id":1,"result":1}'), "answer");
});
