"""Write a Skillz tool without the protocol.

    from skillz import tool, progress, memory, call

    @tool
    def main(city: str, days: int = 1) -> dict:
        progress(1, 2, "asking")
        return {"city": city, "days": days}

The decorated function gets the arguments by name (or as one dict, if its only parameter is called `args` or has no
matching argument) and returns any JSON value. An exception is the tool's failure. `print` goes to stderr. The function
may be `async`. Code below the decorator runs before the first call.
"""

import inspect
import json
import os
import queue
import sys
import threading
import traceback

__all__ = [
    "tool", "run", "progress", "log", "stream", "memory", "resources", "call", "elicit", "sample", "roots", "context",
    "SkillzError", "ToolError", "Cancelled",
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


# The protocol keeps the real stdout for itself: whatever else writes to stdout, children included, reaches stderr.
_out = os.fdopen(os.dup(1), "wb", buffering=0)
os.dup2(2, 1)
_in = os.fdopen(os.dup(0), "rb")
_null = os.open(os.devnull, os.O_RDONLY)
os.dup2(_null, 0)
os.close(_null)

_write_lock = threading.Lock()
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
        raise ValueError("the value is no JSON: %s (NaN and Infinity are none)" % error) from None
    data = text.encode("utf-8", "surrogatepass" if False else "replace") + b"\n"
    with _write_lock:
        view = memoryview(data)
        while view:
            view = view[_out.write(view):]


def _encode(value):
    for name in ("model_dump", "_asdict", "isoformat", "tolist"):
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
        call = next(iter(_calls.values()))
    return call


def _tagged(params):
    call = _current()
    if call is not None and len(_calls) > 1:
        params["_meta"] = {"skillz/call": call.id}
    return {name: value for name, value in params.items() if value is not None}


def _notify(method, **params):
    _send({"method": method, "params": _tagged(params)})


def _request(method, **params):
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
    if message.get("error"):
        error = message["error"]
        raise SkillzError(error.get("message", "failed"), error.get("code", -32000), error.get("data"))
    return message.get("result")


def progress(current, total=None, message=None):
    """Tell how far the call has come."""
    _notify("progress", progress=current, total=total, message=message)


def log(message, level="info", data=None):
    """Send a message to the client's log."""
    _notify("log", level=level, message=str(message), data=data)


def stream(data, index=None, is_final=None):
    """Hand on a piece of output before the result."""
    _notify("stream", data=data, index=index, is_final=is_final)


class _Memory:
    """Values that outlive the call, of this tool alone."""

    def get(self, key, default=None):
        answer = _request("memory/get", key=key)
        return answer["value"] if answer.get("found", answer.get("value") is not None) else default

    def set(self, key, value, ttl=None):
        params = {"key": key, "value": value}
        if ttl is not None:
            params["ttl"] = ttl
        number_safe = _request_raw("memory/set", params)
        return bool(number_safe.get("success"))

    def list(self, prefix=None, limit=None):
        return _request("memory/list", prefix=prefix, limit=limit)["keys"]

    def delete(self, key):
        return _request("memory/delete", key=key)["deleted"]


def _request_raw(method, params):
    # None is a value here, not an absent parameter.
    value = params.pop("value")
    return _request(method, value=_Null if value is None else value, **params)


class _NullType:
    """Stands for null where None would mean that a parameter is absent."""

    def isoformat(self):
        return None


_Null = _NullType()
memory = _Memory()


class _Resources:
    """Resources of the server."""

    def list(self):
        return _request("resources/list")["resources"]

    def read(self, uri):
        return _request("resources/read", uri=uri)["contents"]


resources = _Resources()


def call(name, arguments=None, /, **more):
    """Call another tool: its data if it gives any, else its text. Raises ToolError when it fails."""
    result = _request("tools/call", name=name, arguments={**(arguments or {}), **more})
    if result.get("isError"):
        raise ToolError(result.get("output") or "the tool failed", result)
    if result.get("structuredContent") is not None:
        return result["structuredContent"]
    return result.get("output", "")


def elicit(message, schema=None, **more):
    """Ask the user. Gives {"action": "accept" | "decline" | "cancel", "content": {...}}."""
    schema = schema or {"type": "object", "properties": {}}
    if "type" not in schema:
        schema = {"type": "object", "properties": schema, "required": list(schema)}
    return _request("elicitation/create", message=message, requestedSchema=schema, **more)


def sample(messages, max_tokens=1000, **more):
    """Ask the client's model. Gives its answer as text, or the whole result where it is not text."""
    if isinstance(messages, str):
        messages = [{"role": "user", "content": {"type": "text", "text": messages}}]
    result = _request("sampling/createMessage", messages=messages, maxTokens=max_tokens, **more)
    content = result.get("content")
    return content["text"] if isinstance(content, dict) and content.get("type") == "text" else result


def roots():
    """The workspace roots, as [{"uri", "name"}]."""
    return _request("roots/list")["roots"]


class _Context:
    """The context of the call under way, by item or attribute: context["roots"], context.environment."""

    def __getitem__(self, name):
        return _current().context[name]

    def __getattr__(self, name):
        call = _current()
        if call is None:
            raise RuntimeError("no call is under way")
        try:
            return call.context[name]
        except KeyError:
            raise AttributeError(name) from None

    def get(self, name, default=None):
        call = _current()
        return default if call is None else call.context.get(name, default)


context = _Context()


def tool(function=None):
    """Make the function the tool. It is served once the script has run to its end."""
    if function is None:
        return tool
    global _function
    if _function is None:
        frame = sys._getframe(1)
        while frame is not None and frame.f_globals.get("__name__") != "__main__":
            frame = frame.f_back
        if frame is not None and frame.f_code.co_name == "<module>":
            _serve_after(frame)
    _function = function
    return function


def _serve_after(frame):
    """Starts to serve when the module's own code is done: a profile function sees it return."""

    def watch(seen, event, _argument):
        if seen is frame and event == "return":
            sys.setprofile(None)
            if sys.exc_info()[0] is None and not _started:
                run()

    sys.setprofile(watch)


def run(function=None):
    """Serve calls until the server has no more; needed only where @tool is not used at the top of a script."""
    global _function, _started
    if function is not None:
        _function = function
    if _function is None:
        raise RuntimeError("no function is marked with @tool")
    _started = True
    sys.setprofile(None)
    threading.Thread(target=_listen, daemon=True).start()
    while True:
        work = _incoming.get()
        if work is None:
            break
        if len(_calls) > 1:
            threading.Thread(target=_perform, args=(work,), daemon=True).start()
        else:
            _perform(work)
    sys.stderr.flush()
    os._exit(0) if threading.active_count() > 2 else sys.exit(0)


def _listen():
    for line in _in:
        try:
            message = json.loads(line)
        except ValueError:
            continue
        method = message.get("method")
        if method == "execute":
            work = _Call(message)
            _calls[work.id] = work
            _incoming.put(work)
        elif method == "cancel":
            _cancel((message.get("params") or {}).get("id"))
        elif method is None:
            answer, _call = _pending.pop(message.get("id"), (None, None))
            if answer is not None:
                answer.put(message)
    _incoming.put(None)
    for answer, _call in list(_pending.values()):
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
        pass  # not CPython: the call ends at its next request, or is ended


def _perform(work):
    _local.call = work
    work.thread = threading.get_ident()
    try:
        try:
            if work.cancelled:
                raise Cancelled()
            answer = {"result": _invoke(work)}
        finally:
            work.thread = None
    except Cancelled:
        answer = {"error": {"code": -32800, "message": "the call was cancelled"}}
    except SystemExit as end:
        if end.code not in (None, 0):
            raise
        answer = {"result": None}
    except BaseException as error:
        answer = {"error": _describe(error)}
    try:
        _send({"id": work.id, **answer})
    except Exception as error:
        _send({"id": work.id, "error": _describe(error)})
    _calls.pop(work.id, None)
    _local.call = None


def _describe(error):
    trace = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in trace if frame.filename != __file__]
    place = " (line %d of %s)" % (own[-1].lineno, os.path.basename(own[-1].filename)) if own else ""
    traceback.print_exception(type(error), error, error.__traceback__, file=sys.stderr)
    data = {"type": type(error).__name__}
    if isinstance(error, ToolError):
        return {"code": -32000, "message": str(error) + place, "data": data}
    return {"code": -32000, "message": "%s: %s%s" % (type(error).__name__, error, place), "data": data}


def _invoke(work):
    result = _function(**_bind(work.arguments)) if not _wants_dict(work.arguments) else _function(work.arguments)
    if inspect.isawaitable(result):
        import asyncio

        async def settle():
            return await result

        result = asyncio.run(settle())
    elif inspect.isgenerator(result):
        result = list(result)
    return result


def _parameters():
    return inspect.signature(_function).parameters


def _wants_dict(arguments):
    parameters = list(_parameters().values())
    if not parameters or parameters[0].kind in (parameters[0].VAR_KEYWORD, parameters[0].KEYWORD_ONLY):
        return False
    first = parameters[0]
    required = [p for p in parameters if p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    if len(required) > 1 or first.name in arguments:
        return False
    return first.name in ("args", "arguments", "params") or first.kind is first.POSITIONAL_ONLY


def _bind(arguments):
    parameters = _parameters()
    if any(p.kind is p.VAR_KEYWORD for p in parameters.values()):
        return arguments
    # Arguments that the function does not name are still in the call's arguments; the schema has accepted them.
    return {name: value for name, value in arguments.items() if name in parameters}
