import { equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { needs } from "../support/needs.ts";
import { ROOT } from "../support/repository.ts";
import { tempDir } from "../support/temp_dir.ts";

Deno.test({
  name: "compile makes a binary that needs nothing beside it: texts, database and tools work",
  ignore: needs("compile-pair", "bash"),
  async fn() {
    await using dir = await tempDir();
    const binary = join(dir.path, "skillz");
    const pair = Deno.env.get("SKILLZ_TEST_COMPILE_PAIR") ?? "";
    const args = ["run", "-A", `${ROOT}scripts/compile.ts`, "--deno", join(pair, "deno"), "--output", binary];
    const env = { DENORT_BIN: join(pair, "denort") };
    const built = await new Deno.Command(Deno.execPath(), { args, env }).output();
    ok(built.success, new TextDecoder().decode(built.stderr));

    await using server = serve(binary, dir.path);
    const { serverInfo } = await server.ask("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "test", version: "1.0.0" },
    });
    equal(serverInfo.version, JSON.parse(await Deno.readTextFile(`${ROOT}deno.json`)).version);
    await server.tell("notifications/initialized");
    const code = `read -r line; echo '{"jsonrpc":"2.0","id":1,"result":"made inside"}'`;
    const tool = { name: "made", description: "Says so", interpreter: "bash", code };
    const made = await server.call("register_script", tool);
    equal(made.isError, undefined, made.content[0].text);
    match((await server.call("call_tool", { tool_name: "made" })).content[0].text, /made inside/);
    match(
      (await server.call("memory", { action: "store", tool_name: "made", key: "k", value: 7 })).content[0]
        .text,
      /k/,
    );
    const guide = await server.ask("resources/read", { uri: "skillz://guide" });
    match(guide.contents[0].text, /made/);
  },
});

/** The binary as a server over stdio, with a home of its own. */
function serve(binary: string, home: string) {
  const child = new Deno.Command(binary, {
    clearEnv: true,
    env: { HOME: home, TOOLS_DIR: join(home, "tools"), PATH: Deno.env.get("PATH") ?? "" },
    cwd: home,
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter();
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).pipeThrough(splitLines()).getReader();
  let id = 0;
  const send = (message: object) =>
    writer.write(new TextEncoder().encode(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`));
  // deno-lint-ignore no-explicit-any -- a test looks into answers of any shape
  const ask = async (method: string, params: object): Promise<any> => {
    const own = ++id;
    await send({ id: own, method, params });
    while (true) {
      const { value, done } = await lines.read();
      if (done) throw new Error(`Cannot get an answer to ${method}: the server has ended`);
      const answer = JSON.parse(value);
      if (answer.id !== own) continue;
      if (answer.error) throw new Error(`Cannot ${method}: ${answer.error.message}`);
      return answer.result;
    }
  };
  return {
    ask,
    call: (name: string, args: object) => ask("tools/call", { name, arguments: args }),
    tell: (method: string) => send({ method }),
    async [Symbol.asyncDispose]() {
      await writer.close();
      await lines.cancel();
      equal((await child.status).code, 0);
    },
  };
}

function splitLines(): TransformStream<string, string> {
  let rest = "";
  return new TransformStream({
    transform(chunk, controller) {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) if (line) controller.enqueue(line);
    },
  });
}
