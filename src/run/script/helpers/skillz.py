"""Write a Skillz tool without the protocol.

    from skillz import tool, progress, memory, call

    @tool
    def main(city: str, days: int = 1) -> dict:
        progress(1, 2, "asking")
        memory.set("last", city)
        return {"city": city, "days": days}

The function gets the arguments by name. A parameter `args` gets all of them as one dict, `ctx` the context. It returns
any JSON value, may be `async`, and an exception is the tool's failure. `print` goes to stderr. The script is read to
its end before the first call.
"""

import inspect
import json
import opcode
import os
import queue
import sys
import threading
import traceback

__all__ = [
    "tool", "run", "progress", "log", "stream", "memory", "resources", "call", "elicit", "sample", "roots", "context",
    "request", "SkillzError", "ToolError", "Cancelled",
]


class SkillzError(Exception):
    """The server could not do what was asked; `code` and `data` are those of the JSON-RPC error."""

    def __init__(self, message, code=-32000, data=None):
        super().__init__(message)
        self.code = code
        self.data = data


class ToolError(SkillzError):
    """A called tool failed; `result` is its whole result."""

    def __init__(self, message, result):
        super().__init__(message)
        self.result = result


class Cancelled(BaseException):
    """The call is not wanted any more. Clean up and let it pass."""


# stdout belongs to the protocol: whatever else writes to it, children included, reaches stderr, and nobody else reads
# the lines that are meant for us.
_out = os.fdopen(os.dup(1), "wb", buffering=0)
os.dup2(2, 1)
_in = os.fdopen(os.dup(0), "rb")
_null = os.open(os.devnull, os.O_RDONLY)
os.dup2(_null, 0)
os.close(_null)

_writing = threading.Lock()
_local = threading.local()
_calls = {}
_pending = {}
_ids = iter(range(1, 1 << 62))
_incoming = queue.Queue()
_function = None
_started = False


class _Call:
    def __init__(self, message):
        params = message.get("params") or {}
        self.id = message.get("id")
        self.arguments = params.get("arguments") or {}
        self.context = params.get("context") or {}
        self.thread = None
        self.cancelled = False


def _send(message):
    message["jsonrpc"] = "2.0"
    try:
        text = json.dumps(message, ensure_ascii=False, allow_nan=False, default=_encode)
    except ValueError as error:
        raise ValueError("the result is no JSON: %s; NaN and Infinity are none, use None" % error) from None
    data = memoryview(text.encode("utf-8", "replace") + b"\n")
    with _writing:
        while data:
            data = data[_out.write(data):]


def _encode(value):
    """JSON for what commonly stands in results: dataclasses, dates, sets, bytes, numpy and pydantic values."""
    for name in ("model_dump", "_asdict", "tolist", "isoformat"):
        method = getattr(value, name, None)
        if callable(method):
            return method()
    if hasattr(value, "__dataclass_fields__"):
        return {name: getattr(value, name) for name in value.__dataclass_fields__}
    if isinstance(value, (set, frozenset, range)):
        return list(value)
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return str(value)


def _current():
    call = getattr(_local, "call", None)
    if call is None and len(_calls) == 1:
        return next(iter(_calls.values()), None)
    return call


def _some(**params):
    """The parameters that are not None."""
    return {name: value for name, value in params.items() if value is not None}


def _tagged(params):
    call = _current()
    if call is not None and len(_calls) > 1:
        params["_meta"] = {"skillz/call": call.id}
    return params


def _notify(method, params):
    _send({"method": method, "params": _tagged(params)})


def request(method, params):
    """Ask the server; for methods that have no function of their own."""
    call = _current()
    if call is not None and call.cancelled:
        raise Cancelled()
    number = next(_ids)
    answer = queue.Queue(1)
    _pending[number] = (answer, call)
    _send({"id": number, "method": method, "params": _tagged(params)})
    message = answer.get()
    if message is None:
        raise Cancelled()
    error = message.get("error")
    if error:
        raise SkillzError(error.get("message", "the server refused"), error.get("code", -32000), error.get("data"))
    return message.get("result")


def progress(current, total=None, message=None):
    """Tell how far the call has come."""
    _notify("progress", _some(progress=current, total=total, message=message))


def log(message, level="info", data=None):
    """Send a message to the client's log."""
    _notify("log", _some(level=level, message=str(message), data=data))


def stream(data, index=None, is_final=None):
    """Hand on a piece of output before the result."""
    _notify("stream", _some(data=data, index=index, is_final=is_final))


class _Memory:
    """Values that outlive the call, of this tool alone."""

    def get(self, key, default=None):
        answer = request("memory/get", {"key": key})
        return answer["value"] if answer.get("found", answer.get("value") is not None) else default

    def set(self, key, value, ttl=None):
        """`ttl` in seconds."""
        params = {"key": key, "value": value}
        params.update(_some(ttl=ttl))
        request("memory/set", params)

    def list(self, prefix=None, limit=None):
        return request("memory/list", _some(prefix=prefix, limit=limit))["keys"]

    def delete(self, key):
        return request("memory/delete", {"key": key})["deleted"]


class _Resources:
    """Resources of the server."""

    def list(self):
        return request("resources/list", {})["resources"]

    def read(self, uri):
        return request("resources/read", {"uri": uri})["contents"]


class _Context:
    """The context of the call under way, by item or attribute: context["roots"], context.environment."""

    def __getitem__(self, name):
        call = _current()
        if call is None:
            raise RuntimeError("no call is under way")
        return call.context[name]

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def get(self, name, default=None):
        call = _current()
        return default if call is None else call.context.get(name, default)


memory = _Memory()
resources = _Resources()
context = _Context()


def call(name, arguments=None, **more):
    """Call another tool: its data if it gives any, else its text. Raises ToolError when it fails."""
    result = request("tools/call", {"name": name, "arguments": dict(arguments or {}, **more)})
    if result.get("isError"):
        raise ToolError(result.get("output") or "the tool failed", result)
    data = result.get("structuredContent")
    return result.get("output", "") if data is None else data


def elicit(message, schema=None, **more):
    """Ask the user: {"action": "accept" | "decline" | "cancel", "content": {...}}. The schema may be just properties."""
    schema = schema or {}
    if not isinstance(schema.get("type"), str):
        schema = {"type": "object", "properties": schema, "required": list(schema)}
    return request("elicitation/create", dict(message=message, requestedSchema=schema, **more))


def sample(messages, max_tokens=1000, **more):
    """Ask the client's model: its text, or the whole result where it is not text."""
    if isinstance(messages, str):
        messages = [{"role": "user", "content": {"type": "text", "text": messages}}]
    result = request("sampling/createMessage", dict(messages=messages, maxTokens=max_tokens, **more))
    content = result.get("content")
    return content["text"] if isinstance(content, dict) and content.get("type") == "text" else result


def roots():
    """The workspace roots as [{"uri", "name"}]."""
    return request("roots/list", {})["roots"]


def tool(function=None):
    """Make the function the tool. It is served once the script has run to its end."""
    if function is None:
        return tool
    global _function
    if _function is None:
        _serve_after(sys._getframe(1))
    _function = function
    return function


def _serve_after(frame):
    """Serves when the script's own code is done: a profile function sees its frame return."""
    while frame is not None and not (frame.f_globals.get("__name__") == "__main__" and frame.f_back is None):
        frame = frame.f_back

    def watch(seen, event, _argument):
        if seen is frame and event == "return":
            sys.setprofile(None)
            # A frame that an exception leaves "returns" too, but not at a return instruction.
            if opcode.opname[frame.f_code.co_code[frame.f_lasti]].startswith("RETURN") and not _started:
                run()

    if frame is not None:
        sys.setprofile(watch)


def run(function=None):
    """Serve calls until the server has no more. Only needed where `@tool` is not used in the script itself."""
    global _function, _started
    _function = function or _function
    if _function is None:
        raise RuntimeError("no function is marked with @tool")
    _started = True
    sys.setprofile(None)
    threading.Thread(target=_listen, daemon=True).start()
    while True:
        work = _incoming.get()
        if work is None:
            sys.exit(0)
        _perform(work)


def _listen():
    for line in _in:
        try:
            message = json.loads(line.decode("utf-8"))
        except ValueError:
            continue
        method = message.get("method")
        if method == "execute":
            work = _Call(message)
            _calls[work.id] = work
            if len(_calls) == 1:
                _incoming.put(work)
            else:  # the main thread is busy: the manifest's `concurrency` allows more
                threading.Thread(target=_perform, args=(work,), daemon=True).start()
        elif method == "cancel":
            _cancel((message.get("params") or {}).get("id"))
        elif method is None:
            answer, _owner = _pending.pop(message.get("id"), (None, None))
            if answer is not None:
                answer.put(message)
    _incoming.put(None)
    for answer, _owner in list(_pending.values()):
        answer.put(None)


def _cancel(number):
    work = _calls.get(number)
    if work is None:
        return
    work.cancelled = True
    for key, (answer, owner) in list(_pending.items()):
        if owner is work:
            _pending.pop(key, None)
            answer.put(None)
    if work.thread is not None:
        _raise_in(work.thread)


def _raise_in(thread):
    try:
        import ctypes
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(Cancelled))
    except Exception:
        pass  # another Python than CPython: the call ends at its next request, or is ended


def _perform(work):
    _local.call = work
    try:
        try:
            work.thread = threading.get_ident()
            if work.cancelled:
                raise Cancelled()
            answer = {"result": _invoke(work)}
        finally:
            work.thread = None
    except Cancelled:
        answer = {"error": {"code": -32800, "message": "the call was cancelled"}}
    except SystemExit as end:
        if end.code not in (None, 0):
            _calls.pop(work.id, None)
            os._exit(end.code if isinstance(end.code, int) else _complain(end.code))
        answer = {"result": None}
    except BaseException as error:
        answer = {"error": _describe(error)}
    _calls.pop(work.id, None)
    try:
        _send(dict(answer, id=work.id))
    except Exception as error:
        _send({"id": work.id, "error": _describe(error)})
    _local.call = None


def _complain(message):
    sys.stderr.write("%s\n" % message)
    sys.stderr.flush()
    return 1


def _describe(error):
    traceback.print_exception(type(error), error, error.__traceback__, file=sys.stderr)
    own = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename != __file__]
    place = " (line %d of %s)" % (own[-1].lineno, os.path.basename(own[-1].filename)) if own else ""
    name = "" if isinstance(error, SkillzError) else type(error).__name__ + ": "
    return {"code": -32000, "message": "%s%s%s" % (name, error, place), "data": {"type": type(error).__name__}}


def _invoke(work):
    result = _function(**_bind(work))
    if inspect.isawaitable(result):
        import asyncio

        async def settle():
            return await result

        return asyncio.run(settle())
    return list(result) if inspect.isgenerator(result) else result


def _bind(work):
    given = work.arguments
    bound = {}
    for parameter in inspect.signature(_function).parameters.values():
        name = parameter.name
        if parameter.kind is parameter.VAR_KEYWORD:
            bound.update((key, value) for key, value in given.items() if key not in bound)
        elif name in given:
            bound[name] = given[name]
        elif parameter.default is not parameter.empty:
            continue
        elif name in ("args", "arguments", "params") or parameter.annotation is dict:
            bound[name] = given
        elif name in ("ctx", "context"):
            bound[name] = work.context
    # What the schema allows and the function does not name is left out; a missing one is Python's own error.
    return bound
