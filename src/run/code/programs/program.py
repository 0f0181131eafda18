"""Runs one program for execute_code: what it prints and gives back is the answer; tools are its only way out."""

import ast
import builtins
import json
import sys
import threading
import traceback

from skillz import ToolError, call, tool

LIMIT = 256 * 1024


class Printed:
    """What the program printed, the first LIMIT characters of it."""

    def __init__(self):
        self.parts = []
        self.kept = 0
        self.left_out = 0

    def write(self, text):
        room = max(LIMIT - self.kept, 0)
        if room:
            self.parts.append(text[:room])
            self.kept += min(room, len(text))
        self.left_out += max(len(text) - room, 0)
        return len(text)

    def flush(self):
        pass


class Tools:
    """tools.name(city="Oslo"), tools["odd-name"]({...}), tools.server.name(), tools.search("words")."""

    def __init__(self, spaces, prefix=""):
        self._spaces = spaces
        self._prefix = prefix

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        if not self._prefix and name in self._spaces:
            return Tools({}, name + "_")
        return self[name]

    def __getitem__(self, name):
        full = self._prefix + name

        def run(arguments=None, /, **more):
            return call(full, {**(arguments or {}), **more})

        run.__name__ = full
        return run

    def search(self, query, limit=10):
        return call("$search", {"query": query, "limit": limit})["tools"]


def parallel(*functions):
    """Runs functions at once and gives their results in order; the first failure is raised."""
    items = list(functions[0]) if len(functions) == 1 and not callable(functions[0]) else functions
    results = [None] * len(items)
    failures = []

    def work(index, function):
        try:
            results[index] = function()
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=pair, daemon=True) for pair in enumerate(items)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]
    return results


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
    return json.loads(json.dumps(value, default=str))


def place(error):
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == "code"]
    if isinstance(error, SyntaxError) and error.filename == "code":
        return error.lineno
    return lines[-1] if lines else None


@tool
def main(args: dict) -> dict:
    printed = Printed()
    answer = {}
    stdout = sys.stdout
    sys.stdout = printed
    try:
        tree, scope = compiled(args["code"])
        scope["tools"] = Tools(set(args.get("spaces", [])))
        exec(compile(tree, "code", "exec"), scope)
        answer["value"] = plain(scope["program"]())
    except SystemExit as end:
        if end.code not in (None, 0):
            answer["error"] = {"message": "SystemExit: %s" % end.code, "line": place(end)}
    except BaseException as error:
        if type(error).__name__ == "Cancelled":
            raise
        answer["error"] = {"message": "%s: %s" % (type(error).__name__, error), "line": place(error)}
    finally:
        sys.stdout = stdout
    answer["printed"] = "".join(printed.parts)
    answer["left_out"] = printed.left_out
    return answer
