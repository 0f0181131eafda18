import { deepEqual, equal, match, ok } from "node:assert/strict";
import { resultText } from "../../src/base/tool_result.ts";
import { INTERPRETERS } from "../../src/run/script/interpreters.ts";
import { needs } from "../support/needs.ts";
import { waitFor } from "../support/wait_for.ts";
import { bench, type ScriptSpec, testCaller, testContext } from "./_fixture.ts";
import { isAlive } from "./_processes.ts";

/**
 * One script in each language, over the bare protocol: it sends a log and a progress note, asks for memory and another
 * tool, and answers what it got; or it fails, or sleeps beside a child of its own.
 */
const SCRIPTS: Readonly<Record<string, ScriptSpec & { program: string }>> = {
  python3: {
    program: "python3",
    interpreter: "python3",
    extension: "py",
    code: `
import json, subprocess, sys
def send(**m): print(json.dumps({"jsonrpc": "2.0", **m}))
req = json.loads(sys.stdin.readline())
args = req["params"]["arguments"]
def ask(method, **params):
    send(id="q", method=method, params=params)
    return json.loads(sys.stdin.readline())["result"]
if args["do"] == "fail": raise ValueError("no good")
if args["do"] == "sleep":
    child = subprocess.Popen(["sleep", "600"])
    send(method="log", params={"message": "child", "data": child.pid})
    child.wait()
send(method="log", params={"level": "warning", "message": "hello"})
send(method="progress", params={"current": 1, "total": 2})
ask("memory/set", key="k", value=[1, "ä"])
v = ask("memory/get", key="k")["value"]
out = ask("tools/call", name="other", arguments={"n": 1})["output"]
send(id=req["id"], result={"v": v, "out": out, "args": args})
`,
  },
  node: { program: "node", interpreter: "node", extension: "js", code: nodeCode() },
  deno: { program: "deno", interpreter: "deno run", extension: "ts", code: denoCode() },
  ruby: {
    program: "ruby",
    interpreter: "ruby",
    extension: "rb",
    code: `
require "json"
$stdout.sync = true
def say(m) = puts(JSON.generate({ jsonrpc: "2.0" }.merge(m)))
req = JSON.parse($stdin.gets)
args = req["params"]["arguments"]
ask = lambda do |method, params|
  say(id: "q", method: method, params: params)
  JSON.parse($stdin.gets)["result"]
end
raise ArgumentError, "no good" if args["do"] == "fail"
if args["do"] == "sleep"
  child = spawn("sleep", "600")
  say(method: "log", params: { message: "child", data: child })
  Process.wait(child)
end
say(method: "log", params: { level: "warning", message: "hello" })
say(method: "progress", params: { current: 1, total: 2 })
ask.call("memory/set", { key: "k", value: [1, "ä"] })
v = ask.call("memory/get", { key: "k" })["value"]
out = ask.call("tools/call", { name: "other", arguments: { n: 1 } })["output"]
say(id: req["id"], result: { v: v, out: out, args: args })
`,
  },
  perl: {
    program: "perl",
    interpreter: "perl",
    extension: "pl",
    code: `
use strict; use JSON::PP; $| = 1;
my $json = JSON::PP->new->utf8->canonical;
sub say_ { print $json->encode({ jsonrpc => "2.0", @_ }), "\\n" }
my $req = $json->decode(scalar <STDIN>);
my $args = $req->{params}{arguments};
sub ask { my ($m, $p) = @_; say_(id => "q", method => $m, params => $p); $json->decode(scalar <STDIN>)->{result} }
die "no good" if $args->{do} eq "fail";
if ($args->{do} eq "sleep") {
  my $pid = fork(); exec("sleep", "600") if !$pid;
  say_(method => "log", params => { message => "child", data => $pid + 0 }); waitpid($pid, 0);
}
say_(method => "log", params => { level => "warning", message => "hello" });
say_(method => "progress", params => { current => 1, total => 2 });
ask("memory/set", { key => "k", value => [1, "\\x{e4}"] });
my $v = ask("memory/get", { key => "k" })->{value};
my $out = ask("tools/call", { name => "other", arguments => { n => 1 } })->{output};
say_(id => $req->{id}, result => { v => $v, out => $out, args => $args });
`,
  },
  php: {
    program: "php",
    interpreter: "php",
    extension: "php",
    code: `<?php
function say($m) { echo json_encode(["jsonrpc" => "2.0"] + $m, JSON_UNESCAPED_UNICODE), "\\n"; }
$req = json_decode(fgets(STDIN), true);
$args = $req["params"]["arguments"];
function ask($m, $p) { say(["id" => "q", "method" => $m, "params" => $p]); return json_decode(fgets(STDIN), true)["result"]; }
if ($args["do"] === "fail") { fwrite(STDERR, "no good\\n"); exit(3); }
if ($args["do"] === "sleep") {
  $p = proc_open(["sleep", "600"], [], $pipes);
  say(["method" => "log", "params" => ["message" => "child", "data" => proc_get_status($p)["pid"]]]); proc_close($p);
}
say(["method" => "log", "params" => ["level" => "warning", "message" => "hello"]]);
say(["method" => "progress", "params" => ["current" => 1, "total" => 2]]);
ask("memory/set", ["key" => "k", "value" => [1, "ä"]]);
$v = ask("memory/get", ["key" => "k"])["value"];
$out = ask("tools/call", ["name" => "other", "arguments" => ["n" => 1]])["output"];
say(["id" => $req["id"], "result" => ["v" => $v, "out" => $out, "args" => $args]]);
`,
  },
  bash: { program: "bash", interpreter: "bash", extension: "sh", code: shellCode() },
  sh: { program: "sh", interpreter: "sh", extension: "sh", code: shellCode() },
};

function shellCode(): string {
  return `
IFS= read -r req
args=\${req#*'"arguments":'}; args=\${args%%,'"context"'*}
ask() { printf '{"jsonrpc":"2.0","id":"q","method":"%s","params":%s}\\n' "$1" "$2"; IFS= read -r answer; }
case $args in
  *fail*) echo "no good" >&2; exit 3 ;;
  *sleep*) sleep 600 & echo '{"jsonrpc":"2.0","method":"log","params":{"message":"child","data":'$!'}}'; wait ;;
esac
echo '{"jsonrpc":"2.0","method":"log","params":{"level":"warning","message":"hello"}}'
echo '{"jsonrpc":"2.0","method":"progress","params":{"current":1,"total":2}}'
ask memory/set '{"key":"k","value":[1,"ä"]}'
ask memory/get '{"key":"k"}'; v=\${answer#*'"value":'}; v=\${v%%,'"found"'*}
ask tools/call '{"name":"other","arguments":{"n":1}}'; out=\${answer#*'"output":'}; out=\${out%%\\}*}
printf '{"jsonrpc":"2.0","id":1,"result":{"v":%s,"out":%s,"args":%s}}\\n' "$v" "$out" "$args"
`;
}

function nodeCode(): string {
  return `
const lines = require("readline").createInterface({ input: process.stdin })[Symbol.asyncIterator]();
${
    javascriptBody(
      "(await lines.next()).value",
      "console.log",
      "require('child_process').spawn('sleep', ['600'])",
    )
  }
`;
}

function denoCode(): string {
  return `
const buffer = new Uint8Array(65536);
const read = async () => new TextDecoder().decode(buffer.subarray(0, await Deno.stdin.read(buffer) ?? 0));
${javascriptBody("await read()", "console.log", "{ pid: Deno.pid }")}
`;
}

function javascriptBody(line: string, print: string, child: string): string {
  return `
const send = (m) => ${print}(JSON.stringify({ jsonrpc: "2.0", ...m }));
(async () => {
  const req = JSON.parse(${line});
  const args = req.params.arguments;
  const ask = async (method, params) => { send({ id: "q", method, params }); return JSON.parse(${line}).result; };
  if (args.do === "fail") { console.error("no good"); throw new Error("no good"); }
  if (args.do === "sleep") {
    const child = ${child};
    send({ method: "log", params: { message: "child", data: child.pid } });
    await new Promise((resolve) => setTimeout(resolve, 600000));
  }
  send({ method: "log", params: { level: "warning", message: "hello" } });
  send({ method: "progress", params: { current: 1, total: 2 } });
  await ask("memory/set", { key: "k", value: [1, "ä"] });
  const v = (await ask("memory/get", { key: "k" })).value;
  const out = (await ask("tools/call", { name: "other", arguments: { n: 1 } })).output;
  send({ id: req.id, result: { v, out, args } });
  (globalThis.Deno?.exit ?? process.exit)(0);
})();
`;
}

Deno.test("INTERPRETERS each have a script in these tests", () => {
  deepEqual(
    Object.values(SCRIPTS).map((spec) => spec.interpreter).sort(),
    INTERPRETERS.map((row) => row.interpreter).sort(),
  );
});

for (const [language, { program, ...spec }] of Object.entries(SCRIPTS)) {
  const ignore = needs(program);

  Deno.test({
    name: `${language}: call with log, progress, memory and a nested call`,
    ignore,
    async fn() {
      await using place = await bench({
        callTool: () => Promise.resolve({ content: [{ type: "text", text: "other's text" }] }),
      });
      const { caller, heard } = testCaller();
      const tool = await place.tool("script", spec);
      const result = await place.call(tool, { do: "all", text: "ü" }, testContext({ caller }));
      deepEqual(
        result.structuredContent,
        { v: [1, "ä"], out: "other's text", args: { do: "all", text: "ü" } },
        resultText(result),
      );
      deepEqual(heard.progress, [{ progress: 1, total: 2 }]);
      deepEqual(heard.logs.filter(({ data }) => data === "hello"), [
        { level: "warning", data: "hello", logger: "script" },
      ]);
    },
  });

  Deno.test({
    name: `${language}: B09 a crash is a failure with exit code and the end of stderr`,
    ignore,
    async fn() {
      await using place = await bench();
      const result = await place.call(await place.tool("script", spec), { do: "fail" });
      equal(result.isError, true);
      match(resultText(result), /exit code [1-9]/);
      match(resultText(result), /no good/);
    },
  });

  Deno.test({
    name: `${language}: a cancelled call ends the script and its children`,
    ignore,
    async fn() {
      await using place = await bench();
      const { caller, heard } = testCaller();
      const stop = new AbortController();
      const tool = await place.tool("script", spec);
      const call = place.call(tool, { do: "sleep" }, testContext({ caller, signal: stop.signal }));
      call.catch(() => {});
      const child = await waitFor(
        () => heard.logs.map(({ data }) => Number((data as { data?: number })?.data)).find((pid) => pid > 0),
        { what: "the child's pid", timeoutMs: 30_000 },
      ) ?? 0;
      stop.abort(new Error("enough"));
      await call.then(() => ok(false, "it went on"), (error) => equal(error.message, "enough"));
      await waitFor(() => !isAlive(child), { what: "the child's end" });
      await waitFor(async () => (await Array.fromAsync(Deno.readDir(place.scratchRoot))).length === 0, {
        what: "the private folder's end",
      });
    },
  });
}
