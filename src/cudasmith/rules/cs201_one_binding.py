"""CS201."""

from __future__ import annotations

from cudasmith.model.finding import Finding, Span
from cudasmith.rules._cases import BINDING, CORRECT, DECLARED, edit
from cudasmith.rules._rule import Rule, Verdicts, severities
from cudasmith.rules._subject import Subject, Unit


class OneBinding(Rule):
    """No build has two bindings: one PYBIND11_MODULE block, or `functions=` and no block.

    `functions=[...]` makes load_inline write a PYBIND11_MODULE block of its own at the end of the C++
    source. Two blocks define `PyInit_<name>` twice, which fails in the compiler or the linker. A build
    without any is CS206's affair.
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
        edit(
            (
                "cpp_sources=[],",
                'cpp_sources=["PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {}"],\n'
                '                functions="scale",  # HERE',
            ),
            (BINDING, "#if 0\n#endif\n"),
        ),
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

    def _listed_too(self, subject: Subject, unit: Unit, block: Span) -> Finding:
        return self.found(
            subject,
            unit.build.keyword_span("functions", subject.file.source),
            "functions= adds a second PYBIND11_MODULE block",
            notes=(f"the file has its own block in line {block.line}",),
            help="drop functions=",
        )
