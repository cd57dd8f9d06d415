"""CS201."""

from __future__ import annotations

from cudasmith.model.finding import Finding, Span
from cudasmith.rules._cases import BINDING, CORRECT, DECLARED, edit
from cudasmith.rules._rule import Rule, Verdicts, severities
from cudasmith.rules._subject import Subject, Unit


class OneBinding(Rule):
    """Each build has exactly one binding: one PYBIND11_MODULE block, or `functions=` and no block.

    `functions=[...]` makes load_inline write a PYBIND11_MODULE block of its own at the end of the C++
    source. Two blocks define `PyInit_<name>` twice, which fails in the compiler or the linker; none
    gives a library that Python cannot import.
    """

    code = "CS201"
    name = "one-binding"
    severity = severities("error", "error")
    answers = "one-binding"
    BAD = (
        edit(
            (
                "cuda_sources=[cuda_src],",
                'cuda_sources=[cuda_src],\n                functions=["scale"],  # HERE',
            )
        ),
        edit((BINDING, BINDING + "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {}  // HERE\n")),
        edit((BINDING, ""), ("= load_inline(", "= load_inline(  # HERE")),
    )
    GOOD = (
        CORRECT,
        DECLARED,
        edit(
            (BINDING, ""),
            (
                "cpp_sources=[],",
                'cpp_sources=["""torch::Tensor scale(torch::Tensor x, double by);\n' + BINDING + '"""],',
            ),
        ),
        edit(
            (BINDING, 'TORCH_LIBRARY(mine, m) { m.def("scale", &scale); }\n'),
            ("verbose=False", "is_python_module=False"),
        ),
    )

    def check(self, subject: Subject) -> Verdicts:
        for unit in subject.units:
            spans = [p.span(b.start, b.module_end) for p in unit.parts for b in p.symbols.bindings]
            listed = unit.build.functions is not None or "functions" in unit.build.unresolved
            if listed and spans:
                yield self._listed_too(subject, unit, spans[0])
            for again in spans[1:]:
                yield self.found(
                    subject,
                    again,
                    "a second PYBIND11_MODULE block",
                    notes=(f"the first stands in line {spans[0].line}",),
                    help="keep exactly one",
                )
            if not spans and not listed:
                yield from self._none(subject, unit)

    def _listed_too(self, subject: Subject, unit: Unit, block: Span) -> Finding:
        return self.found(
            subject,
            unit.build.keyword_span("functions", subject.file.source),
            "functions= adds a second PYBIND11_MODULE block",
            notes=(f"the file has its own block in line {block.line}",),
            help="drop functions=",
        )

    def _none(self, subject: Subject, unit: Unit) -> Verdicts:
        if unit.opaque:
            yield self.undecided(unit.build.span, f"{unit.opaque} cannot be read statically")
        elif any(p.symbols.libraries for p in unit.parts) and "is_python_module" in unit.build.keywords:
            return
        elif any("PYBIND11_MODULE" in p.symbols.words for p in unit.parts):
            yield self.undecided(unit.build.span, "PYBIND11_MODULE is used in a form that is not understood")
        else:
            help = "end the CUDA source with PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { ... }"
            yield self.found(subject, unit.build.span, "the extension has no binding", help=help)
