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

import opcode
import sys

from skillz_loop import Cancelled, SkillzError, ToolError, current, notify, request, serve

__all__ = [
    "tool", "run", "progress", "log", "stream", "memory", "resources", "call", "elicit", "sample", "roots", "context",
    "request", "SkillzError", "ToolError", "Cancelled",
]

_function = None
_started = False


def _some(**params):
    """The parameters that are not None."""
    return {name: value for name, value in params.items() if value is not None}


def progress(current, total=None, message=None):
    """Tell how far the call has come."""
    notify("progress", _some(progress=current, total=total, message=message))


def log(message, level="info", data=None):
    """Send a message to the client's log."""
    notify("log", _some(level=level, message=str(message), data=data))


def stream(data, index=None, is_final=None):
    """Hand on a piece of output before the result."""
    notify("stream", _some(data=data, index=index, is_final=is_final))


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
        call = current()
        if call is None:
            raise RuntimeError("no call is under way")
        return call.context[name]

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def get(self, name, default=None):
        call = current()
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
    serve(_function)
