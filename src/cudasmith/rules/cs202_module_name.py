"""CS202."""

from __future__ import annotations

from cudasmith.rules._cases import CORRECT, DECLARED, edit
from cudasmith.rules._rule import Rule, Verdicts, severities
from cudasmith.rules._subject import Subject

WANTED = "TORCH_EXTENSION_NAME"
_HEAD = "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {"


class ModuleName(Rule):
    """The first argument of PYBIND11_MODULE is TORCH_EXTENSION_NAME.

    load_inline passes the module's name as that macro. A name written out must equal `name=`, and even
    then it breaks when torch builds a changed source as `<name>_v1`: the import looks for
    `PyInit_<name>_v1`.
    """

    code = "CS202"
    name = "module-name"
    severity = severities("error", "error")
    answers = "one-binding"
    BAD = (
        edit((_HEAD, "PYBIND11_MODULE(my_ext, m) {  // HERE")),
        edit((_HEAD, "PYBIND11_MODULE(scale_ext, m) {  // HERE")),
        edit((_HEAD, "PYBIND11_MODULE(torch_extension_name, m) {  // HERE")),
    )
    GOOD = (
        CORRECT,
        DECLARED,
        edit((_HEAD, "PYBIND11_MODULE( TORCH_EXTENSION_NAME , mod) {"), ("m.def", "mod.def")),
    )

    def check(self, subject: Subject) -> Verdicts:
        for _, part in subject.parts():
            for binding in part.symbols.bindings:
                if binding.module == WANTED or WANTED in part.symbols.macros.get(binding.module, ""):
                    continue
                span = part.span(binding.module_start, binding.module_end)
                name = part.build.name
                same = name is not None and name == binding.module
                message = f"the module is called {binding.module}"
                message += f" here, but name= is {name!r}" if name and not same else ", written out"
                yield self.found(
                    subject,
                    span,
                    message,
                    help=f"write {WANTED}",
                    fix=subject.rewrite(part, binding.module_start, binding.module_end, WANTED),
                    severity="warning" if same and subject.mode != "strict" else None,
                )
