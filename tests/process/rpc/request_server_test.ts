import { deepEqual, equal, match } from "node:assert/strict";
import { SkillzError } from "../../../src/base/errors.ts";
import type { JsonObject } from "../../../src/base/json.ts";
import { Peer, type PeerOptions } from "../../../src/process/rpc/peer.ts";
import type { RequestHandler } from "../../../src/process/rpc/_request_server.ts";

/** A far side whose requests are these lines; gives what it is answered. */
async function answersTo(
  lines: readonly string[],
  { count = lines.length, ...options }: PeerOptions & { count?: number },
): Promise<JsonObject[]> {
  const answers: JsonObject[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const stdout = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(new TextEncoder().encode(lines.map((line) => `${line}\n`).join("")));
      await promise;
      controller.close();
    },
  });
  const write = (line: string) => {
    answers.push(JSON.parse(line));
    if (answers.length >= count) resolve();
    return Promise.resolve();
  };
  await using peer = new Peer({ stdout, write }, options);
  await peer.closed;
  return answers;
}

const request = (id: number | string, method = "x") => JSON.stringify({ jsonrpc: "2.0", id, method });

Deno.test("a handler's failure becomes an error with code, message and what to do", async () => {
  const failing = (error: unknown): RequestHandler => () => Promise.reject(error);
  const handlers = new Map([
    ["input", failing(new SkillzError("invalid_input", "Cannot a: b, c", { hint: "Do d" }))],
    ["limit", failing(new SkillzError("limit", "Cannot e: f, g"))],
    ["bug", failing(new TypeError("Oops"))],
  ]);
  const answers = await answersTo([request(1, "input"), request("2", "limit"), request(3, "bug")], {
    handlers,
  });
  deepEqual(answers.map(({ id, error }) => [id, error]), [
    [1, { code: -32602, message: "Cannot a: b, c. Do d", data: { code: "invalid_input" } }],
    ["2", { code: -32000, message: "Cannot e: f, g", data: { code: "limit" } }],
    [3, { code: -32603, message: "Oops", data: { code: "internal" } }],
  ]);
});

Deno.test("requests are served at once up to the bound, the others after", async () => {
  let running = 0;
  let most = 0;
  const handlers = new Map<string, RequestHandler>([["x", async () => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve, 1));
    running--;
    return null;
  }]]);
  const lines = Array.from({ length: 20 }, (_, index) => request(index));
  const answers = await answersTo(lines, { handlers, concurrency: 3 });
  equal(most, 3);
  deepEqual(answers.map(({ id }) => id), lines.map((_, index) => index));
});

Deno.test("requests beyond the queue are refused, and the others are served", async () => {
  const { promise, resolve } = Promise.withResolvers<null>();
  const handlers = new Map<string, RequestHandler>([["x", () => promise]]);
  const lines = Array.from({ length: 1002 }, (_, index) => request(index));
  const refused: unknown[] = [];
  const answers = await answersTo([...lines, '{"jsonrpc":"2.0","method":"go"}'], {
    handlers,
    concurrency: 1,
    count: 1002,
    onNotification: () => resolve(null),
  });
  for (const answer of answers) if (answer.error !== undefined) refused.push(answer);
  equal(refused.length, 1);
  match(JSON.stringify(refused[0]), /"id":1001.*1000 wait already/);
});
