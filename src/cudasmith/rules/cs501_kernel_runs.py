"""CS501."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from cudasmith.cuda.symbols import Function
from cudasmith.rules._cases import CORRECT, DECLARED, PASSED, edit
from cudasmith.rules._result import thrown_away
from cudasmith.rules._rule import Rule, Verdicts, severities
from cudasmith.rules._subject import Exported, Subject, Unit
from cudasmith.source.names import walk

_APPLY = "Scale.apply(self.ext, x, self.by)"
_SET = "        self.by = by\n"
_LAYER = "class Layer(nn.Module):\n    def forward(self, x):\n        return ModelNew._ext.scale(x, 2)\n\n\n"
_RETURN = "        return Scale.apply(self.ext, x, self.by)\n"
_OTHER_BUILDERS = (
    "triton",
    "cupy",
    "numba",
    "cuda.core",
    "pycuda",
    "cutlass",
    "tilelang",
    "torch.utils.cpp_extension.load",
)


class KernelRuns(Rule):
    """Every kernel is launched, and forward calls the extension that launches it.

    A file whose forward never reaches the extension gives right answers from PyTorch and proves
    nothing, and so does one that runs the kernel and returns something else. Followed: names bound to the built module, functions that return it, autograd Functions,
    helpers, sub-modules, and on the C++ side host functions that call each other.
    """

    code = "CS501"
    name = "kernel-runs"
    severity = severities("error", "error")
    BAD = (
        edit(
            (
                "static torch::Tensor checked",
                "__global__ void unused(float* x) { x[0] = 1.f; }  // HERE\n\nstatic torch::Tensor checked",
            )
        ),
        edit((_RETURN, "        return x.view(-1)\n"), ("load_inline(\n", "load_inline(  # HERE\n")),
        edit(
            ("ext.scale(x, by)", "ext.other(x, by)"),
            (
                '  m.def("scale"',
                '  m.def("other", [](torch::Tensor x, double by) { return x; });\n  m.def("scale"',
            ),
            ("load_inline(\n", "load_inline(  # HERE\n"),
        ),
        "import torch\n\n\nclass ModelNew(torch.nn.Module):\n    def forward(self, x):\n        return x * 2\n",
        edit((_RETURN, f"        {_APPLY}  # HERE\n        return torch.relu(x)\n")),
        edit((_RETURN, f"        y = {_APPLY}  # HERE\n        z = x.view(-1)\n        return z\n")),
        edit(("return ext.scale(x, by)", "ext.scale(x, by)  # HERE\n        return x")),
        edit((_RETURN, f"        y = {_APPLY}  # HERE\n        y = torch.relu(x)\n        return y\n")),
    )
    GOOD = (
        CORRECT,
        edit(
            (
                _RETURN,
                f"        for _ in range(2):\n            y = {_APPLY}\n            if x.dim() > 1:\n                break\n"
                "            y = torch.relu(x)\n        return y\n",
            )
        ),
        edit((_RETURN, f"        y = {_APPLY}\n        y = torch.relu(y)\n        return y\n")),
        edit(
            (
                _RETURN,
                f"        y = {_APPLY}\n        z = y.view(-1)\n        y = torch.relu(x)\n        return z\n",
            )
        ),
        edit(
            (
                _RETURN,
                f"        y = {_APPLY}\n        if x.dim() > 9:\n            y = torch.relu(x)\n        return y\n",
            )
        ),
        edit((_RETURN, f"        y = torch.relu(x)\n        y = {_APPLY}\n        return y\n")),
        edit(
            (
                _RETURN,
                f"        for _ in range(2):\n            z = x\n            y = {_APPLY}\n        return y\n",
            )
        ),
        edit((_RETURN, f"        out = []\n        out.append({_APPLY})\n        return torch.stack(out)\n")),
        edit(
            (_RETURN, f"        out = torch.empty_like(x)\n        out[0] = {_APPLY}\n        return out\n")
        ),
        edit((_RETURN, f"        y = [f(x) for f in [lambda t: {_APPLY}]]\n        return y[0]\n")),
        edit(("ext.scale(", "ext.exp("), ('m.def("scale"', 'm.def("exp"')),
        edit(  # it writes into what it is given
            (
                "return ext.scale(x, by)",
                "out = torch.empty_like(x)\n        ext.scale(x, out, by)\n        return out",
            ),
            (
                "torch::Tensor scale(torch::Tensor x,",
                "torch::Tensor scale(torch::Tensor x, torch::Tensor out,",
            ),
            ("  torch::Tensor out = torch::empty(x.sizes(), x.options());\n", ""),
        ),
        DECLARED,
        PASSED,
        edit(
            (
                _RETURN,
                "        return self.run(x)\n\n    def run(self, x):\n            return Scale.apply(self.ext, x, 2)\n",
            )
        ),
        edit(
            ("PYBIND11_MODULE(TORCH_EXTENSION_NAME, m)", "TORCH_LIBRARY_FRAGMENT(mine, m)"),
            ("verbose=False", "is_python_module=False"),
            ("ext.scale(x, by)", "torch.ops.mine.scale(x, by)"),
        ),
        edit(
            (
                'm.def("scale", &scale,',
                'm.def("scale", [](torch::Tensor x, double by) { return scale(x, by); },',
            )
        ),
        edit(
            ("torch::Tensor scale(torch", "static void launch(int n);\ntorch::Tensor scale(torch"),
            ("  C10_CUDA_KERNEL_LAUNCH_CHECK();\n", "  launch(n);\n"),
            (
                "PYBIND11_MODULE",
                "__global__ void second() { __syncthreads(); }\nstatic void launch(int n) { "
                "auto f = second; f<<<1, n>>>(); }\nPYBIND11_MODULE",
            ),
        ),
        # A function of the module under the module's own name, and a module named like its function.
        edit(
            ("self.ext = ModelNew._ext", "self._ext = ModelNew._ext.scale"), (_APPLY, "self._ext(x, self.by)")
        ),
        edit(
            ("class Scale", "scale = load_inline('s', [], [cuda_src])\n\n\nclass Scale"),
            (
                "        if ModelNew._ext is None:\n            ModelNew._ext = load_inline(",
                "        if 0:\n            print(",
            ),
            ("self.ext = ModelNew._ext", "self.op = scale.scale"),
            (_APPLY, "self.op(x, self.by)"),
        ),
        edit(  # modules that are kept in a dictionary
            ("    _ext = None", "    _ext = {}"),
            ("if ModelNew._ext is None:", 'if "m" not in ModelNew._ext:'),
            ("ModelNew._ext = load_inline(", 'ModelNew._ext["m"] = load_inline('),
            ("self.ext = ModelNew._ext", 'self.ext = ModelNew._ext["m"]'),
        ),
        edit(  # layers that are put into a list
            (
                "class ModelNew",
                "class Layer(nn.Module):\n    def forward(self, x):\n        return ModelNew._ext.scale(x, 2)\n\n\nclass ModelNew",
            ),
            (
                "        self.by = by\n",
                "        self.layers = nn.ModuleList()\n        self.layers.append(self.make(by))\n",
            ),
            (
                _RETURN,
                "        for layer in self.layers:\n            x = layer(x)\n        return x\n\n"
                "    def make(self, by):\n        return nn.Sequential(nn.Identity(), Layer())\n",
            ),
        ),
        edit(  # a helper within __init__ that makes the layers
            ("class ModelNew", _LAYER + "class ModelNew"),
            (
                _SET,
                "        def make(by):\n            return nn.Sequential(Layer())\n\n        self.layers = make(by)\n",
            ),
            (_RETURN, "        return self.layers(x)\n"),
        ),
        edit((_APPLY, 'getattr(ModelNew._ext, "scale")(x, self.by)')),
        edit(  # a method that is written as a lambda
            ("    def forward(self, x):\n" + _RETURN, "    forward = lambda self, x: " + _APPLY + "\n"),
        ),
        edit(  # a module that a cached lambda gives, handed to forward of the autograd.Function
            (
                "class Scale",
                "built = functools.lru_cache(maxsize=None)(lambda: ModelNew._ext)\n\n\nclass Scale",
            ),
            ("import torch\n", "import functools\n\nimport torch\n"),
            ("(ctx, ext, x, by)", "(ctx, module, x, by)"),
            ("ext.scale(", "module.scale("),
            (_APPLY, "Scale.apply(built(), x, self.by)"),
        ),
        edit(  # a forward that __init__ puts in the place of the method
            ("        self.by = by\n", "        self.by = by\n        self.forward = self.run\n"),
            (_RETURN, "        raise ValueError(x)\n\n    def run(self, x):\n" + _RETURN),
        ),
    )

    def check(self, subject: Subject) -> Verdicts:
        file = subject.file
        if file.fault:
            return
        if not subject.units:
            other = sorted(
                v for v in file.imported.values() if v.startswith(_OTHER_BUILDERS) and "load_inline" not in v
            )
            if other:
                yield self.undecided(None, f"kernels may come from {other[0]}, which is not followed")
            elif file.forward is not None:
                yield self.found(
                    subject, None, "the file builds no extension", help="build one with load_inline"
                )
            return
        for unit in subject.units:
            yield from self._launched(subject, unit)
            if file.forward is not None:
                yield from self._called(subject, unit)
        for call in thrown_away(subject):
            span = file.source.node_span(call)
            message = "what the kernel computes here is thrown away: nothing that is returned comes from it"
            yield self.found(subject, span, message, confidence="medium")

    def _launched(self, subject: Subject, unit: Unit) -> Verdicts:
        mentioned = {w for p in unit.parts for f in p.symbols.functions if f.is_host for w in f.words}
        for part in unit.parts:
            launched = {x.kernel for x in part.symbols.launches}
            for kernel in part.symbols.kernels:
                if kernel.name not in launched | mentioned:
                    message = f"kernel {kernel.name} is never launched"
                    yield self.found(subject, part.name_span(kernel), message)

    def _called(self, subject: Subject, unit: Unit) -> Verdicts:
        file = subject.file
        reached = {*file.reach.forward, *file.reach.backward}
        called = {c.function for c in file.handles.calls if reached & set(c.holders)}
        names = {e.name for e in unit.exported}
        if unit.opaque or "functions" in unit.build.unresolved:
            yield self.undecided(unit.build.span, "the sources cannot be read statically")
        elif _called_as_operator(subject, unit):
            return
        elif not called and file.handles.escapes and not file.handles.calls:
            yield self.undecided(unit.build.span, "the extension is handed to code that is not followed")
        elif not called & names:
            if called <= {e.name for u in subject.units for e in u.exported}:  # else CS206 or CS207 tells
                yield self.found(subject, unit.build.span, "forward never calls the extension")
        elif not any(_export_launches(unit, e) for e in unit.exported if e.name in called):
            yield self.found(
                subject, unit.build.span, "nothing that forward calls launches a kernel", confidence="medium"
            )


def _called_as_operator(subject: Subject, unit: Unit) -> bool:
    """Whether forward uses torch.ops.<namespace> of a TORCH_LIBRARY block of the extension."""
    heads = tuple(f"torch.ops.{name}." for p in unit.parts for name in p.symbols.libraries)
    nodes = [n for f in subject.file.reach.forward for n in walk(f) if isinstance(n, ast.Attribute)]
    return any((subject.file.dotted(n) or "").startswith(heads) for n in nodes) if heads else False


def _export_launches(unit: Unit, exported: Exported) -> bool:
    roots = exported.mentions if exported.target is None else {exported.target}
    return any(_launches(unit, name, frozenset()) for name in roots)


def _launches(unit: Unit, target: str, seen: frozenset[str]) -> bool:
    return any(_does(unit, f, seen) for f in _defined(unit, target))


def _defined(unit: Unit, name: str) -> Iterator[Function]:
    for part in unit.parts:
        yield from (f for f in part.symbols.named(name) if f.is_definition and f.is_host)


def _does(unit: Unit, function: Function, seen: frozenset[str]) -> bool:
    if (
        function.launches
        or {"cudaLaunchKernel", "cudaLaunchCooperativeKernel", "cudaLaunchKernelEx"} & function.words
    ):
        return True
    if any(
        x.kernel in unit.macro(w)
        for w in function.words
        for p in unit.parts
        for x in p.symbols.macro_launches
    ):
        return True
    if function.name in seen:
        return False
    return any(_launches(unit, c.name, seen | {function.name}) for c in function.calls)
