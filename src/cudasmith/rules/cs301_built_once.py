"""CS301."""

from __future__ import annotations

import ast

from cudasmith.rules._cases import CORRECT, DECLARED, edit
from cudasmith.rules._rule import Rule, Verdicts, severities
from cudasmith.rules._subject import Subject
from cudasmith.source.names import Function, ancestors
from cudasmith.source.regions import BuildCall

_CALL = (
    "load_inline(\n"
    '                name="scale_ext",\n'
    "                cpp_sources=[],\n"
    "                cuda_sources=[cuda_src],\n"
    '                extra_cflags=["-O3"],\n'
    '                extra_cuda_cflags=["-O3"],\n'
    "                verbose=False,\n"
    "            )\n"
)
_GUARDED = "        if ModelNew._ext is None:\n            ModelNew._ext = " + _CALL
_AT_IMPORT = edit(
    (_GUARDED, ""),
    ("class Scale", "ext = " + _CALL.replace("inline(\n", "inline(  # HERE\n", 1) + "\n\nclass Scale"),
    ("ModelNew._ext\n", "ext\n"),
)
_HELPER = ("def build():\n    return " + _CALL + "\n\nclass Scale",)
_BY_HELPER = edit((_CALL, "build()\n"), ("class Scale", _HELPER[0]))


class BuiltOnce(Rule):
    """The extension is built lazily, and once per class: not at import, not for every instance.

    A build at import runs in every process that only wants to look at the file, and puts a CUDA context
    into a parent that forks. A build per instance compiles or at least re-hashes again for each model.
    A function under functools.cache, a guard `if ModelNew._ext is None:` and a module global that is
    filled on first use are all fine. A note outside strict mode.
    """

    code = "CS301"
    name = "built-once"
    severity = severities("error", "info")
    BAD = (
        _AT_IMPORT,
        edit(
            (_GUARDED, "        self._ext = " + _CALL.replace("inline(\n", "inline(  # HERE\n", 1)),
            ("self.ext = ModelNew._ext", "self.ext = self._ext"),
        ),
        edit(
            ("if ModelNew._ext is None", "if self._ext is None"),
            ("ModelNew._ext = ", "self._ext = "),
            ("ModelNew._ext\n", "self._ext\n"),
            ("load_inline(\n", "load_inline(  # HERE\n"),
        ),
        edit(
            ("load_inline(\n", "load_inline(  # HERE\n"),
            ("class Scale", "ext = build()\n\n\nclass Scale"),
            text=_BY_HELPER,
        ),
    )
    GOOD = (
        CORRECT,
        DECLARED,
        _BY_HELPER,
        edit(
            ("def build():", "@functools.cache\ndef build():"),
            ("import torch\n", "import functools\n\nimport torch\n"),
            ("if ModelNew._ext is None", "if True"),
            text=_BY_HELPER,
        ),
        edit(
            (
                "def build():\n    return ",
                "_built = None\n\n\ndef build():\n    global _built\n    if _built is not None:\n"
                "        return _built\n    _built = ",
            ),
            ("verbose=False,\n            )\n", "verbose=False,\n            )\n    return _built\n"),
            text=_BY_HELPER,
        ),
    )

    def check(self, subject: Subject) -> Verdicts:
        for unit in subject.units:
            build = unit.build
            fault = _fault(subject, build.call, build, frozenset())
            if fault:
                help = "build under `if ModelNew._ext is None:` in __init__, and keep it in ModelNew._ext"
                yield self.found(subject, build.span, fault, help=help)


def _fault(subject: Subject, node: ast.AST, build: BuildCall, seen: frozenset[str]) -> str | None:
    """What is wrong with running `node`, which builds, at its place; None if nothing is."""
    file = subject.file
    holders = tuple(ancestors(node, file.parent))
    function = next((h for h in holders if isinstance(h, (ast.FunctionDef, ast.AsyncFunctionDef))), None)
    if any(isinstance(h, ast.If) and "__name__" in ast.unparse(h.test) for h in holders):
        return None
    if function is None:
        return "the extension is built when the file is imported"
    owners = _guards(function, holders)
    if any(not o.startswith("self.") for o in owners) or _is_cached(function):
        return None
    if owners or (
        isinstance(file.parent.get(function), ast.ClassDef) and function.name in ("__init__", "forward")
    ):
        return (
            "the extension is built for every instance"
            if function.name != "forward" or owners
            else ("the extension is built in every forward")
        )
    faults = [
        _fault(subject, n, build, seen | {function.name})
        for n in ast.walk(file.tree)
        if isinstance(n, ast.Call) and _called(n) == function.name and function.name not in seen
    ]
    return next((f for f in faults if f), None)


def _called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _guards(function: Function, holders: tuple[ast.AST, ...]) -> list[str]:
    """What is tested before the build: `X is None`, `not X`, `name not in cache`, or an early return."""
    tests = [h.test for h in holders if isinstance(h, ast.If)]
    tests += [s.test for s in function.body if isinstance(s, ast.If) and isinstance(s.body[-1], ast.Return)]
    found: list[str] = []
    for test in tests:
        if isinstance(test, ast.Compare) and isinstance(
            test.ops[0], (ast.Is, ast.IsNot, ast.NotIn, ast.In, ast.Eq)
        ):
            right = isinstance(test.ops[0], (ast.NotIn, ast.In))
            found.append(ast.unparse(test.comparators[0] if right else test.left))
        elif isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            text = ast.unparse(test.operand)
            found.append(text.replace("hasattr(self,", "self.") if text.startswith("hasattr(self,") else text)
    return [f for f in found if f]


def _is_cached(function: Function) -> bool:
    return any("cache" in ast.unparse(d) for d in function.decorator_list)
