/** A script to be measured, as `register_script` takes it. */
export interface BenchScript {
  readonly interpreter: string;
  readonly extension: string;
  readonly code: string;
  readonly lifecycle?: "fresh" | "persistent";
}

const PYTHON = `import json, sys
req = json.loads(sys.stdin.readline())
print(json.dumps({"jsonrpc": "2.0", "id": req["id"], "result": {"echo": req["params"]["arguments"]}}), flush=True)
`;

const NODE = `require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const req = JSON.parse(line);
  console.log(JSON.stringify({ jsonrpc: "2.0", id: req.id, result: { echo: req.params.arguments } }));
  process.exit(0);
});
`;

const DENO = `const buffer = new Uint8Array(4 << 20);
let size = 0;
while (!buffer.subarray(0, size).includes(10)) size += await Deno.stdin.read(buffer.subarray(size)) ?? 0;
const req = JSON.parse(new TextDecoder().decode(buffer.subarray(0, size)));
console.log(JSON.stringify({ jsonrpc: "2.0", id: req.id, result: { echo: req.params.arguments } }));
`;

const BASH = `read -r line
n=\${line#*'"n":'}
echo '{"jsonrpc":"2.0","id":1,"result":{"echo":{"n":'"\${n%%[^0-9]*}"'}}}'
`;

const PERSISTENT = `import json, sys
for line in sys.stdin:
    req = json.loads(line)
    print(json.dumps({"jsonrpc": "2.0", "id": req["id"], "result": {"echo": req["params"]["arguments"]}}), flush=True)
`;

/** Scripts that answer with their arguments, one a language; the one in bash knows only `n`. */
export const ECHOES = {
  python3: { interpreter: "python3", extension: "py", code: PYTHON },
  node: { interpreter: "node", extension: "js", code: NODE },
  deno: { interpreter: "deno run", extension: "ts", code: DENO },
  bash: { interpreter: "bash", extension: "sh", code: BASH },
} as const satisfies Record<string, BenchScript>;

/** The same as one process that serves every call. */
export const PERSISTENT_ECHO: BenchScript = {
  interpreter: "python3",
  extension: "py",
  code: PERSISTENT,
  lifecycle: "persistent",
};

/** Times what it asks of the server itself, in milliseconds, each `n` times; needs a tool named `bash`. */
export const ASKS: BenchScript = {
  interpreter: "python3",
  extension: "py",
  code: `import json, sys, time
req = json.loads(sys.stdin.readline())
def ask(m, p):
    print(json.dumps({"jsonrpc": "2.0", "id": 9, "method": m, "params": p}), flush=True)
    answer = json.loads(sys.stdin.readline())
    assert "result" in answer, answer
    return answer["result"]
out = {}
for m, p in (("memory/set", {"key": "k", "value": 1}), ("memory/get", {"key": "k"}), ("tools/call", {"name": "bash", "arguments": {"n": 7}})):
    out[m] = []
    for _ in range(req["params"]["arguments"]["n"]):
        t = time.perf_counter()
        ask(m, p)
        out[m].append((time.perf_counter() - t) * 1000)
print(json.dumps({"jsonrpc": "2.0", "id": req["id"], "result": out}), flush=True)
`,
};
