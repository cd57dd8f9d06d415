"""CS401."""

from __future__ import annotations

from cudasmith.cuda.symbols import Function, Param
from cudasmith.model.finding import Span
from cudasmith.rules._cases import CORRECT, DECLARED, edit
from cudasmith.rules._rule import Rule, Verdicts, severities
from cudasmith.rules._subject import Exported, Part, Subject, Unit
from cudasmith.rules._tensor_use import made_in_python, minds_layout, reads_pointer

_CHECKED = '  x = checked(x, torch::kFloat, "x");\n'
_HEAD = "torch::Tensor scale(torch::Tensor x, double by) {"
_MARKED = (_HEAD, _HEAD + "  // HERE")


class Contiguous(Rule):
    """Each tensor argument whose memory a kernel reads is made contiguous, checked, or read by its strides.

    A transposed or sliced tensor has the right sizes and the wrong order in memory: a kernel that
    indexes it densely gives wrong numbers, or reads outside. Any of these counts, for each argument:
    `x = x.contiguous()`, TORCH_CHECK(x.is_contiguous()), use of strides or an accessor, a macro or
    helper of the file that does one of them, or `.contiguous()` at the call in Python.
    """

    code = "CS401"
    name = "contiguous"
    severity = severities("error", "warning")
    answers = "contiguity"
    BAD = (
        edit((_CHECKED, ""), _MARKED),
        edit((_CHECKED, "  TORCH_CHECK(x.is_cuda());\n"), _MARKED),
        edit(("  return t.contiguous();", "  return t;"), _MARKED),
        edit(
            (_CHECKED, ""),
            (_HEAD, "torch::Tensor scale(torch::Tensor x_in, double by) {  // HERE\n  auto x = x_in;"),
        ),
        edit(
            ("torch::Tensor x, double by", "torch::Tensor x, torch::Tensor y"),
            ("by, n);", "*y.data_ptr<float>(), n);"),
            ("torch::Tensor y) {", "torch::Tensor y) {  // HERE"),
        ),
    )
    GOOD = (
        CORRECT,
        DECLARED,
        edit((_CHECKED, '  TORCH_CHECK(x.is_contiguous(), "x");\n')),
        edit(
            (_CHECKED, "  CHECK_INPUT(x);\n"),
            (
                "__global__",
                "#define CHECK_C(x) TORCH_CHECK(x.is_contiguous())\n"
                "#define CHECK_INPUT(x) CHECK_C(x)\n__global__",
            ),
        ),
        edit((_CHECKED, "  const int64_t step = x.stride(0);\n")),
        edit(
            (_CHECKED, ""),
            (_HEAD, "torch::Tensor scale(torch::Tensor x_in, double by) {\n  auto x = x_in.contiguous();"),
        ),
        edit((_CHECKED, ""), ("ext.scale(x, by)", "ext.scale(x.contiguous(), by)")),
    )

    def check(self, subject: Subject) -> Verdicts:
        for unit in subject.units:
            for exported, part, function in unit.hosts():
                for index, param in enumerate(function.params):
                    if param.is_tensor:
                        yield from self._tensor(subject, unit, exported, part, function, index)
                    elif (
                        param.holds_tensors and not {"contiguous", "is_contiguous", "stride"} & function.words
                    ):
                        span = _param_span(part, function, param)
                        yield self.undecided(span, f"cannot follow the tensors in {param.type} {param.name}")

    def _tensor(
        self, subject: Subject, unit: Unit, exported: Exported, part: Part, function: Function, index: int
    ) -> Verdicts:
        param = function.params[index]
        if not reads_pointer(unit, function, param.name) or minds_layout(unit, function, param.name):
            return
        if made_in_python(subject, exported.name, index):
            return
        message = f"{function.name} reads {param.name} as if it were contiguous, and never checks"
        help = f"add {param.name} = {param.name}.contiguous(); or TORCH_CHECK({param.name}.is_contiguous())"
        yield self.found(subject, _param_span(part, function, param), message, help=help)


def _param_span(part: Part, function: Function, param: Param) -> Span:
    at = part.region.text.find(param.name, function.name_start + len(function.name))
    return part.span(at, at + len(param.name))
