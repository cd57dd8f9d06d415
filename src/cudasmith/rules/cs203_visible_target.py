"""CS203."""

from __future__ import annotations

from cudasmith.cuda.symbols import Function
from cudasmith.rules._cases import BINDING, CORRECT, DECLARED, edit
from cudasmith.rules._rule import Rule, Verdicts, severities
from cudasmith.rules._subject import Exported, Part, Subject, Unit

_DEF = '  m.def("scale", &scale, "x times a number");'


class VisibleTarget(Rule):
    """What `m.def` or `functions=` names is a host function, visible at that place and defined somewhere.

    The binding is plain C++: the name must be declared above it in the same source. `functions=` puts
    its block at the end of cpp_sources, so each name needs a prototype there. A `__global__` kernel
    cannot be bound; bind the host function that launches it. A prototype with no definition compiles
    and fails on import.
    """

    code = "CS203"
    name = "visible-target"
    severity = severities("error", "error")
    answers = "one-binding"
    BAD = (
        edit((_DEF, '  m.def("scale", &scaled, "x times a number");  // HERE')),
        edit((_DEF, '  m.def("scale", &scale_thread_per_element);  // HERE')),
        edit(
            (BINDING, ""),
            ("torch::Tensor scale(", BINDING.replace(";\n", ";  // HERE\n") + "\ntorch::Tensor scale("),
        ),
        edit(
            ('cpp_sources=["torch::Tensor scale(torch::Tensor x, double by);"]', "cpp_sources=[]"),
            ('functions=["scale"],', 'functions=["scale"],  # HERE'),
            text=DECLARED,
        ),
        edit(
            (
                "torch::Tensor scale(torch::Tensor x, double by) {",
                "torch::Tensor scale_impl(torch::Tensor x, double by) {",
            ),
            ('functions=["scale"],', 'functions=["scale"],  # HERE'),
            text=DECLARED,
        ),
    )
    GOOD = (
        CORRECT,
        DECLARED,
        edit((_DEF, '  m.def("scale", [](torch::Tensor x, double by) { return scale(x, by); });')),
        edit((_DEF, '  m.def("scale", torch::wrap_pybind_function(scale));')),
    )

    def check(self, subject: Subject) -> Verdicts:
        for unit in subject.units:
            if unit.opaque and unit.exported:
                yield self.undecided(unit.build.span, f"{unit.opaque} cannot be read statically")
                continue
            for exported in unit.exported:
                if exported.target is not None:
                    yield from self._one(subject, unit, exported, exported.target)

    def _one(self, subject: Subject, unit: Unit, exported: Exported, target: str) -> Verdicts:
        part = exported.part or unit.cpp
        seen = part.symbols.named(target) if part else ()
        everywhere = [f for p in unit.parts for f in p.symbols.named(target)]
        if any(f.is_kernel for f in everywhere):
            message = f"{target} is a __global__ kernel, which Python cannot call"
            yield self.found(subject, exported.span, message, help="bind the host function that launches it")
        elif not [f for f in seen if exported.part is None or f.start < exported.start]:
            yield from self._invisible(subject, unit, exported, target, everywhere)
        elif not any(f.is_definition for f in everywhere) and not _generated(unit, target):
            message = f"{target} is declared but not defined in any source"
            yield self.found(subject, exported.span, message)

    def _invisible(
        self, subject: Subject, unit: Unit, exported: Exported, target: str, everywhere: list[Function]
    ) -> Verdicts:
        part = exported.part or unit.cpp
        if _generated(unit, target):
            yield self.undecided(
                exported.span, f"{target} may come from a macro, a variable or a local header"
            )
            return
        message, help = f"{target} is not declared before the binding", None
        if everywhere and exported.part is None:
            message = f"functions= names {target}, which cpp_sources does not declare"
            help = "put its prototype into cpp_sources"
        elif part and part.symbols.named(target):
            message, help = f"{target} is defined after the binding", "move the binding to the end"
        yield self.found(subject, exported.span, message, help=help)


def _generated(unit: Unit, target: str) -> bool:
    return any(_outside(p, target) for p in unit.parts)


def _outside(part: Part, target: str) -> bool:
    """Whether the name may be declared by what was not followed: macros, variables, local headers."""
    symbols = part.symbols
    local = [i for i in symbols.includes if "/" not in i and i.endswith((".h", ".cuh", ".hpp"))]
    known = (
        "cuda.h",
        "cuda_runtime.h",
        "cuda_fp16.h",
        "cuda_bf16.h",
        "mma.h",
        "math.h",
        "stdint.h",
        "float.h",
    )
    return (
        target in symbols.top_words
        or any("##" in m for m in symbols.macros.values())
        or bool(
            [i for i in local if i not in known and not i.startswith(("cu", "math", "std", "cooperative"))]
        )
    )
