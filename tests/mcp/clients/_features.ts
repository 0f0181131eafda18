import assert from "node:assert/strict";
import { tempDir } from "../../support/temp_dir.ts";
import { waitFor } from "../../support/wait_for.ts";
import { ANSWERS, type CallResult, type TestClient } from "./_test_client.ts";

/** Something that every client must be able to do with every transport. */
export interface Feature {
  readonly name: string;
  /** Which capabilities the client declares; all of them if absent. */
  readonly asks?: false;
  run(client: TestClient): Promise<void>;
}

const textOf = ({ content }: CallResult) => content[0]?.text ?? "";
const dataOf = (result: CallResult): unknown => JSON.parse(textOf(result));
const methods = (client: TestClient) => client.heard.map(({ method }) => method);

/** One entry a feature; each gets a client of its own. */
export const FEATURES: readonly Feature[] = [
  {
    name: "lists tools and calls them",
    async run(client) {
      const tools = await client.listTools();
      assert.ok(tools.includes("echo"));
      assert.deepEqual(await client.listTools(), tools);
      const result = await client.call("echo", { a: [1, "ü", null, { b: true }] });
      assert.deepEqual(dataOf(result), { a: [1, "ü", null, { b: true }] });
    },
  },
  {
    name: "B14 calls a tool without arguments",
    async run(client) {
      assert.deepEqual(dataOf(await client.call("echo")), {});
    },
  },
  {
    name: "gets a tool's failure as a result and an unknown tool as an error",
    async run(client) {
      const failed = await client.call("fails");
      assert.deepEqual([failed.isError, textOf(failed)], [true, "it broke"]);
      const misused = await client.call("misuse");
      assert.deepEqual([misused.isError, textOf(misused)], [
        true,
        "Cannot do it: x is 1, it must be 2. Use 2",
      ]);
      const crashed = await client.call("crash");
      assert.equal(crashed.isError, true);
      assert.doesNotMatch(textOf(crashed), /42/);
      await assert.rejects(client.call("nobody"), /nobody/);
      const odd = await client.call("odd_blocks");
      assert.deepEqual(odd.content.map(({ type }) => type), ["text", "text", "text"]);
    },
  },
  {
    name: "gets an answer of a megabyte whole",
    async run(client) {
      assert.equal(textOf(await client.call("big", { bytes: 1_000_000 })).length, 1_000_000);
    },
  },
  {
    name: "B15 gets rising progress under its own token and none without one",
    async run(client) {
      const seen: number[] = [];
      await client.call("steps", {}, { onprogress: ({ progress }) => seen.push(progress) });
      assert.deepEqual(seen, [1, 2, 3]);
      await client.call("steps");
      await client.call("late_progress", {}, { onprogress: ({ progress }) => seen.push(progress) });
      await client.call("slow", { ms: 60 });
      assert.deepEqual(seen, [1, 2, 3]);
    },
  },
  {
    name: "cancels a call, which ends its work",
    async run(client) {
      await using dir = await tempDir();
      const file = `${dir.path}/aborted`;
      const cancel = new AbortController();
      const call = client.call("wait", { file, started: `${dir.path}/started` }, { signal: cancel.signal });
      await waitFor(() => Deno.stat(`${dir.path}/started`).catch(() => undefined));
      cancel.abort(new Error("Enough"));
      await assert.rejects(call);
      assert.equal(await waitFor(() => Deno.readTextFile(file).catch(() => "")), "aborted");
      assert.deepEqual(dataOf(await client.call("echo", { still: "here" })), { still: "here" });
    },
  },
  {
    name: "is asked by a form, twice in one call",
    async run(client) {
      assert.deepEqual(dataOf(await client.call("name")), [
        { action: "accept", content: { name: ANSWERS.name } },
        { action: "accept", content: { colour: ANSWERS.colour } },
      ]);
      assert.deepEqual(client.asked, ["name", "colour"]);
    },
  },
  {
    name: "is asked to open a page",
    async run(client) {
      assert.equal(textOf(await client.call("open_page")), "accept");
      assert.deepEqual(client.asked, ["open https://example.com/login"]);
    },
  },
  {
    name: "is asked three things at once: a form, its model, its roots",
    async run(client) {
      const answers = JSON.stringify(dataOf(await client.call("together")));
      for (const part of [ANSWERS.name, ANSWERS.sample, ANSWERS.root]) {
        assert.ok(answers.includes(part), part);
      }
      assert.deepEqual([...client.asked].sort(), ["name", "roots", "sample"]);
    },
  },
  {
    name: "is asked in two calls at once and gets each answer to the right one",
    async run(client) {
      const results = await Promise.all([client.call("name"), client.call("together"), client.call("name")]);
      assert.deepEqual(dataOf(results[0]), dataOf(results[2]));
      assert.equal(client.asked.length, 7);
    },
  },
  {
    name: "B21 is not asked what it can't answer; the tool hears so at once",
    asks: false,
    async run(client) {
      assert.match(textOf(await client.call("sample_or_not")), /^unavailable: .*sampling/);
      // The newer era has an error of its own for a call that can't go on without.
      if (client.modern) await assert.rejects(client.call("name"), { code: -32021 });
      else assert.match(textOf(await client.call("name")), /elicitation/);
      assert.deepEqual(dataOf(await client.call("workspace")), []);
    },
  },
  {
    name: "B20 hears once that a tool was made, and once that it shows",
    async run(client) {
      await client.subscribe("skillz://note/a");
      await client.call("add_tool", { name: "made" });
      await waitFor(() => methods(client).length > 0);
      assert.ok(!(await client.listTools()).includes("made"));
      await client.call("activate", { name: "made" });
      await waitFor(() => methods(client).length > 1);
      assert.ok((await client.listTools()).includes("made"));
      await client.call("slow", { ms: 60 });
      assert.deepEqual(methods(client), Array(2).fill("notifications/tools/list_changed"));
    },
  },
  {
    name: "hears of the resource it subscribed to and of no other",
    async run(client) {
      await client.subscribe("skillz://note/a");
      assert.equal(await client.read("skillz://note/a"), "first");
      await client.call("set_note", { note: "b", text: "other" });
      await client.call("set_note", { note: "a", text: "second" });
      await waitFor(() => methods(client).includes("notifications/resources/updated"));
      const updated = client.heard.filter(({ method }) => method === "notifications/resources/updated");
      assert.deepEqual(updated.map(({ params }) => params.uri), ["skillz://note/a"]);
      assert.equal(await client.read("skillz://note/a"), "second");
      // The current library turns the older era's code into the newer one.
      await assert.rejects(
        client.read("skillz://note/none"),
        (error: { code?: number }) => error.code === -32602 || (error.code === -32002 && !client.modern),
      );
    },
  },
  {
    name: "gets prompts with arguments, and values for them",
    async run(client) {
      assert.equal(await client.prompt("greet", { who: "you" }), "Hello you");
      assert.deepEqual(await client.complete("greet", { name: "who", value: "an" }), ["ann", "anton"]);
      await assert.rejects(client.prompt("greet", {}), { code: -32602 });
      await assert.rejects(client.prompt("none", {}), { code: -32602 });
    },
  },
];

/** What only versions with `initialize` have. */
export const LEGACY_FEATURES: readonly Feature[] = [
  {
    name: "gets messages of the level it set and graver ones",
    async run(client) {
      await client.call("chatty");
      await client.setLevel?.("error");
      await client.call("chatty");
      await waitFor(() => client.heard.length >= 4);
      const data = client.heard.map(({ params }) => params.data);
      assert.deepEqual(data, ["a info", "a warning", "a error", "a error"]);
    },
  },
  {
    name: "tells its roots once, and again after they changed",
    async run(client) {
      assert.deepEqual(dataOf(await client.call("workspace")), ["/tmp/work"]);
      await client.call("workspace");
      assert.deepEqual(client.asked, ["roots"]);
      await client.rootsChanged?.();
      await client.call("workspace");
      assert.deepEqual(client.asked, ["roots", "roots"]);
    },
  },
];

/** The features that a client's version of the protocol has. */
export function featuresFor(label: string): readonly Feature[] {
  return label.includes("2026") ? FEATURES : [...FEATURES, ...LEGACY_FEATURES];
}
