"""CS206."""

from __future__ import annotations

from cudasmith.rules._cases import BINDING, CORRECT, DECLARED, edit
from cudasmith.rules._rule import Rule, Verdicts, severities
from cudasmith.rules._subject import Subject, Unit

_LIBRARY = 'TORCH_LIBRARY(mine, m) { m.def("scale", &scale); }\n'
_CALL = "= load_inline("
_MARKED = (_CALL, _CALL + "  # HERE")


class Importable(Rule):
    """What is built can be imported: a module has a binding, and a library of operators is loaded as one.

    load_inline imports what it built as a Python module, which needs `PyInit_<name>`: a PYBIND11_MODULE
    block or `functions=` makes it. TORCH_LIBRARY does not; load such a library with
    `is_python_module=False` and call `torch.ops.<namespace>.<operator>`, for then load_inline gives no
    module whose functions could be called.
    """

    code = "CS206"
    name = "importable"
    answers = "one-binding"
    severity = severities("error", "error")
    BAD = (
        edit((BINDING, ""), _MARKED),
        edit((BINDING, _LIBRARY), _MARKED),
        edit((BINDING, _LIBRARY), _MARKED, ("verbose=False", "is_python_module=True")),
        edit(("verbose=False", "is_python_module=False"), ("ext.scale(x, by)", "ext.scale(x, by)  # HERE")),
    )
    GOOD = (
        CORRECT,
        DECLARED,
        edit(
            (BINDING, _LIBRARY),
            ("verbose=False", "is_python_module=False"),
            ("ext.scale(x, by)", "torch.ops.mine.scale(x, by)"),
        ),
        edit((BINDING, BINDING + _LIBRARY)),
        edit((BINDING, "PyMODINIT_FUNC PyInit_scale_ext(void) { return nullptr; }\n")),
    )

    def check(self, subject: Subject) -> Verdicts:
        for unit in subject.units:
            bound = any(p.symbols.bindings for p in unit.parts)
            listed = unit.build.functions is not None or "functions" in unit.build.unresolved
            if unit.build.values.get("is_python_module") is False:
                yield from self._no_module(subject, unit)
            elif not bound and not listed:
                yield from self._no_binding(subject, unit)

    def _no_binding(self, subject: Subject, unit: Unit) -> Verdicts:
        words = {w for p in unit.parts for w in p.symbols.words}
        if unit.opaque:
            yield self.undecided(unit.build.span, f"{unit.opaque} cannot be read statically")
        elif unit.build.unresolved & {"is_python_module", "**"} or any(
            w.startswith("PyInit_") for w in words
        ):
            return
        elif any(p.symbols.libraries for p in unit.parts):
            message = "TORCH_LIBRARY makes no Python module, and the sources have no binding"
            help = "pass is_python_module=False and call torch.ops.<namespace>.<operator>, or add a PYBIND11_MODULE block"
            yield self.found(subject, unit.build.span, message, help=help)
        elif "PYBIND11_MODULE" in words:
            yield self.undecided(unit.build.span, "PYBIND11_MODULE is used in a form that is not understood")
        else:
            help = "end the CUDA source with PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { ... }"
            yield self.found(subject, unit.build.span, "the extension has no binding", help=help)

    def _no_module(self, subject: Subject, unit: Unit) -> Verdicts:
        """Calls through what load_inline returned, which is no module here."""
        if len(subject.units) > 1:
            return  # the call may be one of another extension
        for call in subject.file.handles.calls:
            span = subject.file.source.node_span(call.call)
            message = f"is_python_module=False gives no module, so {call.function} cannot be called on it"
            yield self.found(subject, span, message, help="drop is_python_module=False")
