"""CS205."""

from __future__ import annotations

from cudasmith.rules._cases import CORRECT, DECLARED, edit
from cudasmith.rules._rule import Rule, Verdicts, severities
from cudasmith.rules._subject import Subject

_HEAD = "torch::Tensor scale(torch::Tensor x, double by) {"


class NoRawPointers(Rule):
    """A host function that Python calls takes and returns torch::Tensor, not raw pointers.

    pybind11 turns `float*` into a pointer to ONE Python float: a tensor raises TypeError, a number
    gives the kernel a host address. Take torch::Tensor and call data_ptr inside.
    """

    code = "CS205"
    name = "no-raw-pointers"
    severity = severities("error", "error")
    answers = "host-types"
    BAD = (
        edit((_HEAD, "torch::Tensor scale(torch::Tensor x, const float* by) {  // HERE")),
        edit((_HEAD, "float* scale(torch::Tensor x, double by) {  // HERE")),
        edit((_HEAD, "void scale(torch::Tensor x,\n           half *y) {  // HERE")),
    )
    GOOD = (
        CORRECT,
        DECLARED,
        edit((_HEAD, "torch::Tensor scale(const torch::Tensor& x, double by, const char* why = nullptr) {")),
        edit(
            (
                "static torch::Tensor checked",
                "void run(const float* x, float* y) {}\n\nstatic torch::Tensor checked",
            )
        ),
    )

    def check(self, subject: Subject) -> Verdicts:
        for unit in subject.units:
            for _, part, function in unit.hosts():
                for param in function.params:
                    if param.is_pointer and "char" not in param.type:
                        at = part.region.text.find(param.name, function.name_start + len(function.name))
                        span = part.span(at, at + len(param.name))
                        message = f"{function.name} takes a raw pointer: {param.type} {param.name}"
                        yield self.found(
                            subject, span, message, help="take torch::Tensor and use data_ptr inside"
                        )
                if function.returns.endswith("*") and "char" not in function.returns:
                    message = f"{function.name} returns a raw pointer: {function.returns}"
                    yield self.found(subject, part.name_span(function), message, help="return torch::Tensor")
