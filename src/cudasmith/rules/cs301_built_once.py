"""CS301."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from cudasmith.rules._cases import CORRECT, DECLARED, edit
from cudasmith.rules._rule import Rule, Verdicts, severities
from cudasmith.rules._subject import Subject
from cudasmith.source.names import Function, ancestors, walk

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
_LAZY = "def build():\n    global _built\n    _built = _built or " + _CALL + "    return _built\n"
_CACHED = "_built = functools.cache(\n    lambda: " + _CALL.replace("\n", "\n    ").rstrip() + "\n)\n"
_HELPER = ("def build():\n    return " + _CALL + "\n\nclass Scale",)
_BY_HELPER = edit((_CALL, "build()\n"), ("class Scale", _HELPER[0]))


class BuiltOnce(Rule):
    """The extension is built lazily, and once per class, and nothing runs on a GPU at import.

    A build at import runs in every process that only wants to look at the file, and puts a CUDA context
    into a parent that forks. So does a tensor made on the GPU at module level. A build per instance compiles or at least re-hashes again for each model.
    A function or lambda under functools.cache, a guard `if ModelNew._ext is None:`, `_ext = _ext or ...` and a
    module global that is filled on first use are all fine, unless they are called at module level. A note
    outside strict mode.
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
        edit(
            ("load_inline(\n", "load_inline(  # HERE\n"),
            ("class Scale", "ext = build()\n\n\nclass Scale"),
            ("def build", "@functools.cache\ndef build"),
            text=_BY_HELPER,
        ),
        edit(
            ("load_inline(\n", "load_inline(  # HERE\n"),
            ("class Scale", "def load():\n    return build()\n\n\nWARM = [load()]\n\n\nclass Scale"),
            text=_BY_HELPER,
        ),
        CORRECT.replace("load_inline(\n", "load_inline(  # HERE\n") + "\n\nMODEL = ModelNew(2)\n",
        edit(("class Scale", 'WARM = torch.zeros(1, device="cuda")  # HERE\n\n\nclass Scale')),
        edit(
            (
                "class Scale",
                "NAME = torch.cuda.get_device_name(0)  # HERE\nONE = torch.ones(1).cuda()  # HERE\n\n\nclass Scale",
            )
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
        edit(
            (
                "class Scale",
                'GPU = torch.cuda.is_available()\nDEVICE = torch.device("cuda")\n\n\n'
                'def warm():\n    return torch.zeros(1, device="cuda")\n\n\nclass Scale',
            )
        ),
        edit(
            (_GUARDED, ""),
            ("class Scale", "_built = None\n\n\n" + _LAZY + "\n\nclass Scale"),
            ("ModelNew._ext\n", "build()\n"),
        ),
        edit(
            (_GUARDED, ""),
            ("class Scale", _CACHED + "\n\nclass Scale"),
            ("ModelNew._ext\n", "_built()\n"),
        ),
        CORRECT + '\nif __name__ == "__main__":\n    x = torch.ones(4).cuda()\n',
    )

    def check(self, subject: Subject) -> Verdicts:
        for unit in subject.units:
            build = unit.build
            fault = _fault(subject, build.call, frozenset())
            if fault:
                help = "build under `if ModelNew._ext is None:` in __init__, and keep it in ModelNew._ext"
                yield self.found(subject, build.span, fault, help=help)
        for node in _gpu_at_import(subject):
            span = subject.file.source.node_span(node)
            message = "the GPU is used when the file is imported"
            yield self.found(subject, span, message, help="do it in a function that runs when it is needed")


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
# Of torch.cuda these only ask or set; none makes a context.
_NO_CONTEXT = (
    "is_available",
    "device_count",
    "is_initialized",
    "Event",
    "Stream",
    "manual_seed",
    "manual_seed_all",
)


def _gpu_at_import(subject: Subject) -> Iterator[ast.Call]:
    """Calls at module level that make a CUDA context: of torch.cuda, tensors made on the GPU or moved there."""
    file = subject.file
    for node in file.nodes:
        if not isinstance(node, ast.Call) or file.enclosing(node) is not None or file.beside_model(node):
            continue
        if any(isinstance(h, ast.Lambda) for h in ancestors(node, file.parent)):
            continue
        dotted = file.dotted(node.func) or ""
        asked = dotted.startswith("torch.cuda.") and dotted.count(".") == 2
        device = next((k.value for k in node.keywords if k.arg == "device"), None)
        moved = isinstance(node.func, ast.Attribute) and node.func.attr in ("cuda", "to") and not dotted
        if (
            (asked and dotted.rsplit(".", 1)[1] not in _NO_CONTEXT)
            or (dotted.startswith("torch.") and device is not None and _is_gpu(device))
            or (moved and (ast.unparse(node.func).endswith(".cuda") or any(_is_gpu(a) for a in node.args)))
        ):
            yield node


def _is_gpu(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith("cuda")


def _fault(subject: Subject, node: ast.AST, seen: frozenset[str]) -> str | None:
    """What is wrong with running `node`, which builds, at its place; None if nothing is."""
    if _at_import(subject, node, frozenset()):
        return "the extension is built when the file is imported"
    file = subject.file
    holders = tuple(ancestors(node, file.parent))
    function = next((h for h in holders if isinstance(h, _FUNCTIONS)), None)
    if function is None:
        return None  # in the script part of the file
    owners = _guards(function, node, holders)
    if any(not o.startswith("self.") for o in owners) or _is_cached(function, file.parent):
        return None
    name = _name(function, file.parent)
    if owners or (isinstance(file.parent.get(function), ast.ClassDef) and name in ("__init__", "forward")):
        return (
            "the extension is built for every instance"
            if name != "forward" or owners
            else ("the extension is built in every forward")
        )
    faults = [
        _fault(subject, n, seen | {name})
        for n in file.nodes
        if isinstance(n, ast.Call) and _called(n) == name != "" and name not in seen
    ]
    return next((f for f in faults if f), None)


def _at_import(subject: Subject, node: ast.AST, seen: frozenset[ast.AST]) -> bool:
    """Whether a node runs when the file is imported, by itself or through what is called there."""
    file = subject.file
    if file.beside_model(node):
        return False
    holders = ancestors(node, file.parent)
    function = next((h for h in holders if isinstance(h, _FUNCTIONS)), None)
    if function is None:
        return True
    owner = file.parent.get(function)
    made = isinstance(owner, ast.ClassDef) and _name(function, file.parent) == "__init__"
    name = owner.name if made and isinstance(owner, ast.ClassDef) else _name(function, file.parent)
    return function not in seen and any(
        _at_import(subject, n, seen | {function})
        for n in file.nodes
        if isinstance(n, ast.Call) and _called(n) == name != ""
    )


def _name(function: Function | ast.Lambda, parent: Mapping[ast.AST, ast.AST]) -> str:
    """A lambda's name is that of the variable it is kept in, in a cache or not; empty without one."""
    if not isinstance(function, ast.Lambda):
        return function.name
    holder = next((h for h in ancestors(function, parent) if not isinstance(h, ast.Call)), None)
    target = holder.targets[0] if isinstance(holder, ast.Assign) else None
    return str(getattr(target, "attr", "") or getattr(target, "id", ""))


def _called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _guards(function: Function | ast.Lambda, node: ast.AST, holders: tuple[ast.AST, ...]) -> list[str]:
    """What is tested before the build: `X is None`, `not X`, `name not in cache`, `X or`, or an early return."""
    tests = [h.test for h in holders if isinstance(h, (ast.If, ast.IfExp))]
    body = function.body if isinstance(function.body, list) else []
    tests += [s.test for s in body if isinstance(s, ast.If) and isinstance(s.body[-1], ast.Return)]
    choices = [h for h in holders if isinstance(h, ast.BoolOp) and isinstance(h.op, ast.Or)]
    found = [ast.unparse(h.values[0]) for h in choices if node not in walk(h.values[0])]
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


def _is_cached(function: Function | ast.Lambda, parent: Mapping[ast.AST, ast.AST]) -> bool:
    """A decorator, or for a lambda the call around it: `functools.cache(lambda: ...)`."""
    if isinstance(function, ast.Lambda):
        holder = parent.get(function)
        return isinstance(holder, ast.Call) and "cache" in ast.unparse(holder.func)
    return any("cache" in ast.unparse(d) for d in function.decorator_list)
