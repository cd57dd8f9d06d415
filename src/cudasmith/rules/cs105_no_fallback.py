"""CS105."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Sequence

from cudasmith.rules._cases import CORRECT, edit
from cudasmith.rules._compute import torch_computes
from cudasmith.rules._rule import Rule, Verdicts, severities
from cudasmith.rules._subject import Subject
from cudasmith.source.filemodel import FileModel
from cudasmith.source.names import Function, walk
from cudasmith.source.reach import named_from

_FORWARD = "        return Scale.apply(self.ext, x, self.by)\n"
_TRY = (
    "        try:  # HERE\n            return Scale.apply(self.ext, x, self.by)\n"
    "        except RuntimeError:\n            return x * self.by\n"
)
_CPU = "        if not x.is_cuda:  # HERE\n            return torch.mul(x, self.by)\n"
_ASKED = "        y = self.fast(x)\n        if y is None:\n            {}\n        return y\n"
_FAST = "\n    def fast(self, x):\n" + _FORWARD

# What a kernel cannot come from: the standard library, numpy, and torch but for these parts of it.
_PLAIN = (sys.stdlib_module_names - {"ctypes", "importlib", "subprocess"}) | {"torch", "numpy"}
_BRANCHES = (ast.If, ast.IfExp, ast.Match, ast.BoolOp)
_KERNEL_PARTS = ("torch.utils.cpp_extension", "torch.ops", "torch.classes")


class NoFallback(Rule):
    """No other way than the kernel: no try/except, no branch that computes with PyTorch instead.

    contextlib.suppress is a try too, and `match`, `a if c else b` and `fast(x) or slow(x)` are branches.

    A fallback hides that the extension did not build or does not fit, and is timed as if it were the
    kernel. Let assertions crash. A branch that only raises is an assertion and fine; so are
    `if ModelNew._ext is None:` around the build, `self.training`, the code below
    `if __name__ == "__main__"`, a try whose handlers raise, and one in which no kernel is built or run.
    """

    code = "CS105"
    name = "no-fallback"
    severity = severities("error", "error")
    answers = "no-fallback"
    BAD = (
        edit((_FORWARD, _TRY)),
        edit((_FORWARD, _CPU + _FORWARD)),
        edit(
            (
                _FORWARD,
                "        if x.dim() == 2:\n"
                + "    "
                + _FORWARD
                + "        else:  \n            return x.mul(2)\n",
            ),
            ("        if x.dim() == 2:", "        if x.dim() == 2:  # HERE"),
        ),
        edit(
            (
                _FORWARD,
                "        return Scale.apply(self.ext, x, 2) if x.is_cuda else torch.mul(x, 2)  # HERE\n",
            )
        ),
        CORRECT + "\next = load_inline('a', [], [cuda_src]) if torch.cuda.is_available() else None  # HERE\n",
        "try:  # HERE\n    import triton\nexcept ImportError:\n    triton = None\n" + CORRECT,
        edit(
            (
                _FORWARD,
                "        try:  # HERE\n            return self.fast(x)\n        except RuntimeError:\n"
                "            return x * self.by\n\n    def fast(self, x):\n" + _FORWARD,
            )
        ),
        CORRECT + "\n\ndef safe(run, x):\n    try:  # HERE\n        return run(x)\n    except RuntimeError:\n"
        "        return x\n",
        edit(
            (
                _FORWARD,
                "        with contextlib.suppress(RuntimeError):  # HERE\n    "
                + _FORWARD
                + "        return x\n",
            ),
            ("import torch\n", "import contextlib\n\nimport torch\n"),
        ),
        edit(
            (
                _FORWARD,
                "        match x.dim():  # HERE\n            case 2:\n        "
                + _FORWARD
                + "            case _:\n                return torch.mul(x, self.by)\n",
            )
        ),
        edit(
            (_FORWARD, "        return self.fast(x) or x * 2  # HERE\n\n    def fast(self, x):\n" + _FORWARD)
        ),
        edit((_FORWARD, _ASKED.format("y = x * 2  # filled") + _FAST)).replace(
            "y is None:", "y is None:  # HERE"
        ),
        edit((_FORWARD, _ASKED.format("return torch.mul(x, 2)") + _FAST)).replace(
            "y is None:", "y is None:  # HERE"
        ),
        edit(
            (_FORWARD, "        y = self.fast(x)\n        return x * 2 if y is None else y  # HERE\n" + _FAST)
        ),
    )
    GOOD = (
        CORRECT,
        edit((_FORWARD, _ASKED.format('raise ValueError("x")') + _FAST)),
        edit((_FORWARD, _ASKED.format("y = Scale.apply(self.ext, x * 1, 2)") + _FAST)),
        edit(  # a sum that has no first value yet
            (
                _FORWARD,
                "        y = None\n        for part in x:\n            z = Scale.apply(self.ext, part, 2)\n"
                "            if y is None:\n                y = z * 1\n            else:\n"
                "                y = Scale.apply(self.ext, y, z)\n        return y\n",
            )
        ),
        edit((_FORWARD, "        x = self.scaled or x.contiguous()\n" + _FORWARD)),
        edit(
            (_FORWARD, "        with contextlib.suppress(KeyError):\n            del self.old\n" + _FORWARD),
            ("import torch\n", "import contextlib\n\nimport torch\n"),
        ),
        edit(
            (
                _FORWARD,
                '        if not x.is_cuda:\n            raise ValueError("x must be on a GPU")\n' + _FORWARD,
            )
        ),
        edit((_FORWARD, "        if x.dim() == 2:\n            x = x.unsqueeze(0)\n" + _FORWARD)),
        edit(
            (
                _FORWARD,
                _TRY.split("        except")[0].replace("  # HERE", "")
                + '        except RuntimeError as error:\n            raise ValueError("x") from error\n',
            )
        ),
        CORRECT
        + "\ntry:\n    torch.set_float32_matmul_precision('high')\nexcept AttributeError:\n    pass\n",
        edit(
            (
                _FORWARD,
                "        try:\n            x = x.contiguous(memory_format=torch.channels_last)\n"
                "        except RuntimeError:\n            x = x.contiguous()\n" + _FORWARD,
            )
        ),
        CORRECT
        + '\nif __name__ == "__main__":\n    try:\n        ModelNew(2)\n    except RuntimeError:\n        pass\n',
        edit(
            ("// ", "// try this, except for "),
            text=edit(("__global__ void", "// one thread\n__global__ void")),
        ),
    )

    def check(self, subject: Subject) -> Verdicts:
        source = subject.file.source
        for node in subject.file.nodes:
            if not isinstance(node, (ast.Try, ast.With)) or not _hides(subject.file, node):
                continue
            if _tries_a_kernel(subject.file, node) and not subject.file.beside_model(node):
                form = "try/except" if isinstance(node, ast.Try) else "suppress"
                message = f"{form} can hide that the kernel failed"
                yield self.found(subject, source.node_span(node), message)
        for function in subject.file.reach.forward:
            for node in walk(function):
                if isinstance(node, _BRANCHES) and (
                    _is_fallback(subject, function, node) or _stands_in(subject, function, node)
                ):
                    span = source.node_span(node)
                    yield self.found(subject, span, "this branch computes with PyTorch instead of the kernel")
        for unit in subject.units:
            for node in unit.build.holders:
                if isinstance(node, (ast.If, ast.IfExp)) and _asks_for_gpu(subject, node.test):
                    message = "the extension is built only under a condition"
                    yield self.found(subject, source.node_span(node), message)


def _hides(file: FileModel, node: ast.Try | ast.With) -> bool:
    """Whether some handler goes on after the failure, instead of raising at its end."""
    if isinstance(node, ast.With):
        entered = [i.context_expr.func for i in node.items if isinstance(i.context_expr, ast.Call)]
        return any(file.dotted(e) == "contextlib.suppress" for e in entered)
    return any(
        not isinstance(h.body[-1], ast.Raise)
        or any(isinstance(n, (ast.Return, ast.Continue, ast.Break)) for n in walk(h))
        for h in node.handlers
    )


def _tries_a_kernel(file: FileModel, node: ast.Try | ast.With) -> bool:
    """Whether what is tried builds, imports or runs something that torch alone does not."""
    functions = named_from(node.body, file.tree, file.imported, file.bound, file.parent)
    nodes = [n for s in (*node.body, *functions) for n in walk(s)]
    work: set[ast.AST] = {b.call for b in file.builds} | {c.call for c in file.handles.calls}
    work |= set(file.handles.escapes)
    return any(n in work or _is_foreign(file, n) or _is_given(file, n) for n in nodes)


def _is_foreign(file: FileModel, node: ast.AST) -> bool:
    if isinstance(node, ast.ImportFrom):
        return _from_elsewhere(node.module or "")
    if isinstance(node, ast.Import):
        return any(_from_elsewhere(n.name) for n in node.names)
    return isinstance(node, (ast.Name, ast.Attribute)) and _from_elsewhere(file.dotted(node) or "torch")


def _from_elsewhere(name: str) -> bool:
    own = name.split(".", 1)[0] in _PLAIN and not name.startswith(_KERNEL_PARTS)
    return not own


def _is_given(file: FileModel, node: ast.AST) -> bool:
    """A call of the model itself, or of a function that was handed in: what it runs is not followed."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        return False
    function = file.enclosing(node)
    given = function.args if function else None
    every = [*given.posonlyargs, *given.args, *given.kwonlyargs] if given else []
    return bool(file.builds) and any(a.arg == node.func.id for a in every)


def _asks_for_gpu(subject: Subject, test: ast.expr) -> bool:
    names = {subject.file.dotted(n) for n in walk(test) if isinstance(n, ast.Attribute)}
    return "torch.cuda.is_available" in names


def _is_fallback(
    subject: Subject, function: ast.AST, node: ast.If | ast.IfExp | ast.Match | ast.BoolOp
) -> bool:
    """One side ends in PyTorch arithmetic and has no kernel, while the function has one elsewhere."""
    asked = node.subject if isinstance(node, ast.Match) else getattr(node, "test", None)
    if asked is not None and "self.training" in ast.unparse(asked):
        return False
    sides: list[Sequence[ast.AST]]
    if isinstance(node, ast.Match):
        sides = [case.body for case in node.cases]
    elif isinstance(node, ast.BoolOp):
        sides = [[value] for value in node.values]
    else:
        sides = [[node.body], [node.orelse]] if isinstance(node, ast.IfExp) else [node.body, node.orelse]
    if not any(_ends_in_torch(subject, side) for side in sides):
        return False
    uses = [any(_uses_kernel(subject, n) for n in _nodes(side)) for side in sides]
    if isinstance(node, ast.BoolOp):  # `and` and `or` ask as well as choose: each value with what it calls
        uses = [_leads_to_kernel(subject, value) for value in node.values]
    elsewhere = any(uses) or (not isinstance(node, ast.BoolOp) and _uses_after(subject, function, node))
    return elsewhere and any(
        not used and _ends_in_torch(subject, side) for used, side in zip(uses, sides, strict=True)
    )


def _stands_in(subject: Subject, function: Function, node: ast.expr | ast.stmt) -> bool:
    """`if y is None: y = x * 2`, where y is what a kernel may have given."""
    if not isinstance(node, (ast.If, ast.IfExp)):
        return False
    name = _asked_for_none(node.test)
    if name is None:
        return False
    inside = set(walk(node))
    given = [v for v in subject.file.assigned(function, name) if v not in inside]
    if not any(_leads_to_kernel(subject, v) for v in given):
        return False
    side: list[ast.AST] = [*node.body] if isinstance(node, ast.If) else [node.body]
    values = [n.value for n in side if isinstance(n, ast.Assign) and _names(n, name)]
    return _ends_in_torch(subject, [*side, *values]) and not any(
        _uses_kernel(subject, n) for n in _nodes(side)
    )


def _asked_for_none(test: ast.expr) -> str | None:
    """The name in `name is None`."""
    if not isinstance(test, ast.Compare) or not isinstance(test.left, ast.Name):
        return None
    none = isinstance(test.ops[0], ast.Is) and ast.unparse(test.comparators[0]) == "None"
    return test.left.id if none and len(test.ops) == 1 else None


def _names(assign: ast.Assign, name: str) -> bool:
    return any(isinstance(t, ast.Name) and t.id == name for t in assign.targets)


def _nodes(side: Sequence[ast.AST]) -> Iterator[ast.AST]:
    for node in side:
        yield from walk(node)


def _uses_kernel(subject: Subject, node: ast.AST) -> bool:
    if not isinstance(node, ast.Call):
        return False
    applied = isinstance(node.func, ast.Attribute) and node.func.attr == "apply"
    return applied or subject.file.handles.exported(node) is not None


def _leads_to_kernel(subject: Subject, node: ast.expr) -> bool:
    file = subject.file
    functions = named_from([node], file.tree, file.imported, file.bound, file.parent)
    return any(_uses_kernel(subject, n) for root in (node, *functions) for n in walk(root))


def _uses_after(subject: Subject, function: ast.AST, node: ast.AST) -> bool:
    inside = set(walk(node))
    return any(_uses_kernel(subject, n) for n in walk(function) if n not in inside)


def _ends_in_torch(subject: Subject, side: Sequence[ast.AST]) -> bool:
    leaves = [n for n in side if isinstance(n, (ast.Return, ast.expr))]
    return any(True for n in leaves for _ in torch_computes(subject.file, n))
