import sys, json, time
_line = json.loads(sys.stdin.readline())
args = _line["params"]["arguments"]; context = _line["params"]["context"]
def _write(o): sys.stdout.write(json.dumps(o) + "\n"); sys.stdout.flush()
def notify(method, **params): _write({"jsonrpc": "2.0", "method": method, "params": params})
def ask(**questions):
    sys.stdout.write("".join(json.dumps({"jsonrpc": "2.0", "id": k, "method": m, "params": p}) + "\n" for k, (m, p) in questions.items()))
    sys.stdout.flush()
    answers = {}
    while len(answers) < len(questions):
        m = json.loads(sys.stdin.readline())
        answers[m["id"]] = m["result"]
    return answers
def call(tool, **arguments): return ask(c=("tools/call", {"name": tool, "arguments": arguments}))["c"]
def elicit(message, schema): return ("elicitation/create", {"mode": "form", "message": message, "requestedSchema": schema})
def obj(**props): return {"type": "object", "properties": props, "required": list(props)}
def sample(text, tokens): return ("sampling/createMessage", {"messages": [{"role": "user", "content": {"type": "text", "text": text}}], "maxTokens": tokens})
roots = ("roots/list", {})
def text(t): return {"type": "text", "text": t}
def result(r): _write({"jsonrpc": "2.0", "id": _line["id"], "result": r}); sys.exit(0)
def ret(*content, **more): result({"content": list(content), **more})
def fail(message): _write({"jsonrpc": "2.0", "id": _line["id"], "error": {"code": -32603, "message": message}}); sys.exit(0)
def prompt(*messages): result({"messages": [{"role": "user", "content": m} for m in messages]})
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
WAV = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA="
