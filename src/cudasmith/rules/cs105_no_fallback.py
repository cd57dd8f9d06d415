"""CS105."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from cudasmith.rules._cases import CORRECT, edit
from cudasmith.rules._compute import torch_computes
from cudasmith.rules._rule import Rule, Verdicts, severities
from cudasmith.rules._subject import Subject
from cudasmith.source.names import walk

_FORWARD = "        return Scale.apply(self.ext, x, self.by)\n"
_TRY = (
    "        try:  # HERE\n            return Scale.apply(self.ext, x, self.by)\n"
    "        except RuntimeError:\n            return x * self.by\n"
)
_CPU = "        if not x.is_cuda:  # HERE\n            return torch.mul(x, self.by)\n"


class NoFallback(Rule):
    """No other way than the kernel: no try/except, no branch that computes with PyTorch instead.

    A fallback hides that the extension did not build or does not fit, and is timed as if it were the
    kernel. Let assertions crash. A branch that only raises is an assertion and fine; so are
    `if ModelNew._ext is None:` around the build, `self.training`, and the code below
    `if __name__ == "__main__"`.
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
    )
    GOOD = (
        CORRECT,
        edit(
            (
                _FORWARD,
                '        if not x.is_cuda:\n            raise ValueError("x must be on a GPU")\n' + _FORWARD,
            )
        ),
        edit((_FORWARD, "        if x.dim() == 2:\n            x = x.unsqueeze(0)\n" + _FORWARD)),
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
            if isinstance(node, ast.Try) and node.handlers and not subject.file.beside_model(node):
                yield self.found(
                    subject, source.node_span(node), "try/except can hide that the kernel failed"
                )
        for function in subject.file.reach.forward:
            for node in walk(function):
                if isinstance(node, (ast.If, ast.IfExp)) and _is_fallback(subject, function, node):
                    span = source.node_span(node)
                    yield self.found(subject, span, "this branch computes with PyTorch instead of the kernel")
        for unit in subject.units:
            for node in unit.build.holders:
                if isinstance(node, (ast.If, ast.IfExp)) and _asks_for_gpu(subject, node.test):
                    message = "the extension is built only under a condition"
                    yield self.found(subject, source.node_span(node), message)


def _asks_for_gpu(subject: Subject, test: ast.expr) -> bool:
    names = {subject.file.dotted(n) for n in walk(test) if isinstance(n, ast.Attribute)}
    return "torch.cuda.is_available" in names


def _is_fallback(subject: Subject, function: ast.AST, node: ast.If | ast.IfExp) -> bool:
    """One side ends in PyTorch arithmetic and has no kernel, while the function has one elsewhere."""
    if "self.training" in ast.unparse(node.test):
        return False
    if isinstance(node, ast.IfExp):
        sides: list[Sequence[ast.AST]] = [[node.body], [node.orelse]]
    else:
        sides = [node.body, node.orelse]
    uses = [any(_uses_kernel(subject, n) for n in _nodes(side)) for side in sides]
    elsewhere = any(uses) or _uses_after(subject, function, node)
    return elsewhere and any(
        not used and _ends_in_torch(subject, side) for used, side in zip(uses, sides, strict=True)
    )


def _nodes(side: Sequence[ast.AST]) -> Iterator[ast.AST]:
    for node in side:
        yield from walk(node)


def _uses_kernel(subject: Subject, node: ast.AST) -> bool:
    if not isinstance(node, ast.Call):
        return False
    applied = isinstance(node.func, ast.Attribute) and node.func.attr == "apply"
    return applied or subject.file.handles.exported(node) is not None


def _uses_after(subject: Subject, function: ast.AST, node: ast.AST) -> bool:
    inside = set(walk(node))
    return any(_uses_kernel(subject, n) for n in walk(function) if n not in inside)


def _ends_in_torch(subject: Subject, side: Sequence[ast.AST]) -> bool:
    leaves = [n for n in side if isinstance(n, (ast.Return, ast.expr))]
    return any(True for n in leaves for _ in torch_computes(subject.file, n))
