"""Runs one program for execute_code: what it prints and gives back is the answer; tools are its only way out."""

import ast
import builtins
import io
import json
import sys
import time
import traceback

from skillz import ToolError, call, log, tool

LIMIT = 256 * 1024
# So many prints are told one by one, later ones together; a program that is ended from outside has still said them.
ONE_BY_ONE = 200
PAUSE = 0.02


class Printed(io.TextIOBase):
    """What the program printed, the first LIMIT characters of it."""

    def __init__(self):
        super().__init__()
        self.parts = []
        self.kept = 0
        self.left_out = 0
        self._lines = 0
        self._untold = ""
        self._told_at = 0.0

    def write(self, text):
        room = max(LIMIT - self.kept, 0)
        if room:
            self._keep(text[:room])
            self.kept += min(room, len(text))
        self.left_out += max(len(text) - room, 0)
        return len(text)

    def _keep(self, text):
        self.parts.append(text)
        self._untold += text
        # What is printed and the end of its line come apart.
        if not text.endswith("\n") and len(text) < LIMIT:
            return
        self._lines += 1
        now = time.monotonic()
        if self._lines > ONE_BY_ONE and now - self._told_at < PAUSE:
            return
        log("printed", "debug", {"printed": self._untold})
        self._untold = ""
        self._told_at = now

    def writable(self):
        return True


class Tools:
    """tools.name(city="Oslo"), tools["odd-name"]({...}), tools.server.name(), tools.search("words")."""

    def __init__(self, spaces, prefix=""):
        self._spaces = frozenset(spaces)
        self._prefix = prefix

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self[name]

    def __getitem__(self, name):
        if name in self._spaces:
            return Tools((), name + "_")
        full = self._prefix + name

        def run(arguments=None, /, **more):
            return call(full, {**(arguments or {}), **more})

        run.__name__ = full
        return run

    def search(self, query, limit=10):
        return call("$search", {"query": query, "limit": limit})["tools"]


def parallel(*functions):
    """Runs functions at once and gives their results in order; the first failure in that order is raised."""
    from concurrent.futures import ThreadPoolExecutor

    items = list(functions[0]) if len(functions) == 1 and not callable(functions[0]) else functions
    with ThreadPoolExecutor(16) as pool:
        running = [pool.submit(function) for function in items]
        return [one.result() for one in running]


def compiled(code):
    """The code as a function: `return` works at the top, and the last expression is the result."""
    body = ast.parse(code, "code").body
    if body and isinstance(body[-1], ast.Expr):
        body[-1] = ast.copy_location(ast.Return(body[-1].value), body[-1])
    empty = ast.parse("def program():\n    pass")
    empty.body[0].body = body or [ast.Pass(lineno=1, col_offset=0)]
    scope = {"__name__": "code", "__builtins__": builtins, "ToolError": ToolError, "parallel": parallel, "json": json}
    return empty, scope


def plain(value):
    """The value as JSON has it; what JSON can't say becomes text."""
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return str(value)
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(item) for item in value]
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)


def describe(error):
    """What went wrong, and where in the given code."""
    if isinstance(error, SyntaxError) and error.filename == "code":
        return {"message": "SyntaxError: %s" % error.msg, "line": error.lineno, "column": error.offset}
    told = {"message": "%s: %s" % (type(error).__name__, error)}
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == "code"]
    if lines:
        told["line"] = lines[-1]
    return told


@tool
def main(args: dict) -> dict:
    printed = Printed()
    answer = {}
    stdout = sys.stdout
    sys.stdout = printed
    try:
        tree, scope = compiled(args["code"])
        scope["tools"] = Tools(args.get("spaces", []))
        exec(compile(tree, "code", "exec"), scope)
        value = scope["program"]()
        if value is not None:
            answer["value"] = plain(value)
    except SystemExit as end:
        if end.code not in (None, 0):
            answer["error"] = describe(end)
    except BaseException as error:
        if type(error).__name__ == "Cancelled":
            raise
        answer["error"] = describe(error)
    finally:
        sys.stdout = stdout
    answer["printed"] = "".join(printed.parts)
    answer["left_out"] = printed.left_out
    return answer
