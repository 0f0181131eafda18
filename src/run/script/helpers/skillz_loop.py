"""The loop behind skillz.py: lines in, calls out. Tools import skillz, not this."""

import inspect
import json
import os
import queue
import sys
import threading
import traceback


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


def current():
    call = getattr(_local, "call", None)
    if call is None and len(_calls) == 1:
        return next(iter(_calls.values()), None)
    return call


def _tagged(params):
    call = current()
    if call is not None and len(_calls) > 1:
        params["_meta"] = {"skillz/call": call.id}
    return params


def notify(method, params):
    _send({"method": method, "params": _tagged(params)})


def request(method, params):
    """Ask the server; for methods that have no function of their own."""
    call = current()
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


def serve(function):
    """Serve calls with the function until the server has no more; then end the process."""
    threading.Thread(target=_listen, args=(function,), daemon=True).start()
    while True:
        work = _incoming.get()
        if work is None:
            sys.exit(0)
        _perform(work, function)


def _listen(function):
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
                threading.Thread(target=_perform, args=(work, function), daemon=True).start()
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


def _perform(work, function):
    _local.call = work
    try:
        try:
            work.thread = threading.get_ident()
            if work.cancelled:
                raise Cancelled()
            answer = {"result": _invoke(work, function)}
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
    ours = os.path.dirname(__file__)
    own = [frame for frame in traceback.extract_tb(error.__traceback__) if os.path.dirname(frame.filename) != ours]
    place = " (line %d of %s)" % (own[-1].lineno, os.path.basename(own[-1].filename)) if own else ""
    name = "" if isinstance(error, SkillzError) else type(error).__name__ + ": "
    return {"code": -32000, "message": "%s%s%s" % (name, error, place), "data": {"type": type(error).__name__}}


def _invoke(work, function):
    result = function(**_bind(work, function))
    if inspect.isawaitable(result):
        import asyncio

        async def settle():
            return await result

        return asyncio.run(settle())
    return list(result) if inspect.isgenerator(result) else result


def _bind(work, function):
    given = work.arguments
    bound = {}
    for parameter in inspect.signature(function).parameters.values():
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
