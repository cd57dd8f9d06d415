"""CS502."""

from __future__ import annotations

import ast

from cudasmith.cuda.symbols import Call, Function
from cudasmith.rules._cases import CORRECT, DECLARED, edit
from cudasmith.rules._compute import hidden_call, torch_computes
from cudasmith.rules._kinds import kind
from cudasmith.rules._rule import Rule, Verdicts, severities
from cudasmith.rules._subject import Part, Subject, Unit
from cudasmith.rules._torch_names import COMPUTE_METHODS, NO_COMPUTE_CPP
from cudasmith.source.filemodel import FileModel
from cudasmith.source.names import Function as PythonFunction
from cudasmith.source.names import walk

_RETURN = "        return Scale.apply(self.ext, x, self.by)\n"
_OUT = "  torch::Tensor out = torch::empty(x.sizes(), x.options());\n"
_SUPER = "        super().__init__()\n"
_BUILD = (
    "\n    def build(self):\n        text = HEAD + cuda_src\n"
    '        return load_inline("scale_ext", [], HEAD + text + read())\n'
)


class OwnKernels(Rule):
    """What forward computes is computed by the file's own kernels, not by PyTorch.

    Counted: functions (`torch.softmax`, `F.relu`, `torch.ops.aten.*`), tensor methods (`x.softmax(-1)`),
    operators on tensors (`x @ y`, `x * 2`), nn modules called in forward, and in the C++ text
    `at::`/`torch::` calls, tensor methods and operators on tensors. Allocation, views, copies and
    conversions are free, and so is arithmetic on sizes. An error in strict mode; elsewhere a note,
    since a port may leave some operators to PyTorch on purpose.
    """

    code = "CS502"
    name = "own-kernels"
    severity = severities("error", "info")
    BAD = (
        edit((_RETURN, "        return Scale.apply(self.ext, x.softmax(-1), self.by)  # HERE\n")),
        edit((_RETURN, "        y = x @ x  # HERE\n        return Scale.apply(self.ext, y, self.by)\n")),
        edit(
            (
                _RETURN,
                "        y = torch.ops.aten.relu.default(x)  # HERE\n        return Scale.apply(self.ext, y, 1)\n",
            )
        ),
        edit(
            (_RETURN, "        return Scale.apply(self.ext, self.act(x), 1)  # HERE\n"),
            (_SUPER, _SUPER + "        self.act = nn.ReLU()\n"),
        ),
        edit((_RETURN, "        return Scale.apply(self.ext, x, self.by) + x  # HERE\n")),
        edit((_RETURN, '        y = getattr(torch, "soft" + "max")(x, -1)  # HERE\n' + _RETURN)),
        edit((_RETURN, '        y = getattr(x, "relu")()  # HERE\n' + _RETURN)),
        edit((_RETURN, "        act = torch.relu\n        y = act(x)  # HERE\n" + _RETURN)),
        edit(
            (_RETURN, "        y = operator.mul(x, x)  # HERE\n" + _RETURN),
            ("import torch\n", "import operator\n\nimport torch\n"),
        ),
        edit((_OUT, "  torch::Tensor out = torch::softmax(x, -1);  // HERE\n")),
        edit((_OUT, "  torch::Tensor out = x.relu();  // HERE\n")),
        edit((_OUT, "  torch::Tensor out = x * 2.0;  // HERE\n")),
    )
    GOOD = (
        CORRECT,
        DECLARED,
        edit(
            (
                _RETURN,
                "        n = x.shape[0] * x.size(1) + self.by\n        y = x.view(-1, n // 2).contiguous()\n"
                "        return Scale.apply(self.ext, y, n * 2)\n",
            )
        ),
        edit(
            (
                _RETURN,
                "        y = torch.ops.aten.view.default(x, [x.size(0), -1])\n"
                "        return Scale.apply(self.ext, y, math.sqrt(y.size(0) + 1) * (2.0 / math.pi))\n",
            ),
            ("import torch\n", "import math\n\nimport torch\n"),
        ),
        edit(
            (
                _OUT,
                _OUT
                + "  const int64_t m = x.size(0) * x.size(1);\n  out = out.view({-1, m}).to(torch::kFloat);\n",
            )
        ),
        edit(
            (
                _SUPER,
                _SUPER
                + "        self.act = self.make(2)\n\n    def make(self, n):\n        m = n * self.size // 2\n"
                "        return nn.Sequential(*[nn.Identity(m)])\n",
            ),
            (_RETURN, "        return Scale.apply(self.ext, self.act(x), self.by)\n"),
        ).replace(
            "self.act = self.make(2)", "self.by = by; self.ext = ModelNew._ext; self.act = self.make(2)"
        ),
        edit(
            ("class Scale", 'HEAD = "// one\\n"\nPAIR = 2\n\n\nclass Scale'),
            (_RETURN, _RETURN.replace("self.by", "self.by * PAIR") + _BUILD),
        ).replace("self.ext = ModelNew._ext", "self.ext = self.build()"),
        edit(
            (_SUPER, _SUPER + "        self.w = nn.Parameter(torch.randn(3) * 0.1 + torch.ones(3).sum())\n")
        ),
    )

    def check(self, subject: Subject) -> Verdicts:
        file = subject.file
        for function in file.reach.forward:
            if _makes_layers(file, function):
                continue
            for statement in function.body:
                for compute in torch_computes(file, statement):
                    span = file.source.node_span(compute.node)
                    message = f"PyTorch computes here: {compute.what}"
                    yield self.found(subject, span, message, help="do this in a kernel of the file")
                yield from self._unsure(subject, statement)
        for unit, part in subject.parts():
            for host in part.symbols.functions:
                if host.is_host and host.is_definition:
                    yield from self._host(subject, unit, part, host)

    def _unsure(self, subject: Subject, statement: ast.stmt) -> Verdicts:
        file = subject.file
        arguments = {n for b in file.builds for n in walk(b.call)}
        for node in walk(statement):
            if isinstance(node, ast.Call) and hidden_call(file, node):
                reason = (
                    f"{ast.unparse(node.func)[:60]} is looked up by a name that is made while the file runs"
                )
                yield self.undecided(file.source.node_span(node), reason)
            elif node in arguments:
                continue
            elif isinstance(node, ast.BinOp) and not isinstance(node.op, ast.MatMult):
                sides = (kind(file, node.left), kind(file, node.right))
                if "tensor" not in sides and "unknown" in sides:
                    reason = f"cannot tell whether {ast.unparse(node)[:60]} is arithmetic on tensors"
                    yield self.undecided(file.source.node_span(node), reason)

    def _host(self, subject: Subject, unit: Unit, part: Part, host: Function) -> Verdicts:
        tensors = _tensors(host)
        for call in host.calls:
            what = _computes(call, tensors)
            if what:
                yield self.found(subject, part.span(call.start, call.end), f"PyTorch computes here: {what}")
        for operation in host.operations:
            if operation.operator in ("+", "-", "*", "/") and tensors & {operation.left, operation.right}:
                span = part.span(operation.start, operation.end)
                yield self.found(subject, span, f"PyTorch computes here: the operator {operation.operator}")


def _makes_layers(file: FileModel, function: PythonFunction) -> bool:
    """Whether it runs in `__init__` only, and returns no function that runs later."""
    inner = (ast.Lambda, ast.FunctionDef, ast.AsyncFunctionDef)
    if function is file.forward or any(isinstance(n, inner) for s in function.body for n in walk(s)):
        return False
    calls = [n for n in file.nodes if isinstance(n, ast.Call) and _last(n.func) == function.name]
    named = [n for n in file.nodes if isinstance(n, (ast.Name, ast.Attribute)) and _last(n) == function.name]
    holders = [file.enclosing(n) for n in named]
    return len(calls) == len(named) > 0 and all(h is not None and h.name == "__init__" for h in holders)


def _last(node: ast.expr) -> str:
    return str(getattr(node, "attr", "") or getattr(node, "id", ""))


def _tensors(host: Function) -> frozenset[str]:
    """Names of the tensors of a host function, as far as declarations tell."""
    found = {p.name for p in host.params if p.is_tensor}
    for variable in host.variables:
        made = variable.value.startswith(
            ("torch::empty", "torch::zeros", "at::empty", "torch::ones", "torch::full")
        )
        if (
            variable.type in ("torch::Tensor", "at::Tensor")
            or made
            or variable.value.endswith(".contiguous()")
        ):
            found.add(variable.name)
    return frozenset(found)


def _computes(call: Call, tensors: frozenset[str]) -> str | None:
    if call.receiver is None:
        space, _, name = call.callee.rpartition("::")
        lower = name[:1].islower() or name.startswith("_")
        if (
            space in ("at", "torch", "at::native", "torch::nn::functional")
            and lower
            and name not in NO_COMPUTE_CPP
        ):
            return f"{call.callee}()"
        return None
    base = call.receiver.split(".")[0]
    return f".{call.name}()" if base in tensors and call.name in COMPUTE_METHODS else None
