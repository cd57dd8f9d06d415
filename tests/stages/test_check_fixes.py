"""Fixes: what they change, what they leave as it was, and that they mend."""

from __future__ import annotations

import ast

import pytest

from cudasmith.model import Candidate, CaseStatus, Finding, Fix, Span
from cudasmith.rules._cases import CORRECT, edit
from cudasmith.rules._rule import Rule, all_rules
from cudasmith.source.document import Document
from cudasmith.stages._check.fixes import Fixed, fixed
from cudasmith.stages._check.selection import Selection
from cudasmith.stages.check import CheckResult, check
from cudasmith.stages.emulate import EmulateOptions, emulate

HEADERS = (
    "#include <c10/cuda/CUDAException.h>\n#include <c10/cuda/CUDAGuard.h>\n#include <c10/cuda/CUDAStream.h>\n"
)
LAUNCH_CHECK = "  C10_CUDA_KERNEL_LAUNCH_CHECK();\n"
FLAGS = '                extra_cflags=["-O3"],\n                extra_cuda_cflags=["-O3"],\n'
FIVE_FAULTS = "```python\n" + edit(
    (HEADERS, ""), (LAUNCH_CHECK, ""), (FLAGS, ""), ("TORCH_EXTENSION_NAME", "scale_ext")
) + "```\n"  # fmt: skip


def mend(raw: str, **options: object) -> Fixed:
    return fixed(Document.of(raw), "f.py", lambda c: check(c), **options)  # type: ignore[arg-type]


def codes(result: CheckResult) -> list[str]:
    return [f.code for f in result.findings]


def fixable() -> list[object]:
    cases = [(r, i, t) for r in all_rules() for i, t in enumerate(r.BAD)]
    return [
        pytest.param(rule, text, id=f"{rule.code}-{i}")
        for rule, i, text in cases
        if any(f.fix for f in check(Candidate(text)).findings if f.code == rule.code)
    ]


@pytest.mark.parametrize(("rule", "text"), fixable())
def test_a_fix_mends_its_finding_once_and_for_all(rule: Rule, text: str) -> None:
    before = check(Candidate(text))
    done = mend(text, unsafe=True)
    offered = [f for f in before.findings if f.code == rule.code and f.fix]
    assert {f.code for f in done.applied} >= {rule.code}
    assert codes(done.result).count(rule.code) <= codes(before).count(rule.code) - len(offered)
    assert set(codes(done.result)) <= set(codes(before)) or "CS102" in codes(before)
    ast.parse(done.document.text)
    assert mend(done.document.raw(), unsafe=True).document == done.document


def test_every_safe_fix_together_gives_the_correct_file_but_for_its_layout() -> None:
    done = mend(FIVE_FAULTS)
    assert codes(done.result) == []
    assert {f.code for f in done.applied} == {"CS101", "CS202", "CS302", "CS304", "CS405"}


def test_a_fix_brings_the_header_that_it_needs_also_when_that_rule_is_not_selected() -> None:
    text = edit((HEADERS, ""), (LAUNCH_CHECK, ""), ("guard(x.device())", "guard(x.device())"))
    only = edit((LAUNCH_CHECK, ""), ("#include <c10/cuda/CUDAException.h>\n", ""), ("#include <c10/cuda/CUDAGuard.h>\n", ""),
                ("#include <c10/cuda/CUDAStream.h>\n", ""), ("  const c10::cuda::CUDAGuard guard(x.device());\n", ""),
                (", 0, c10::cuda::getCurrentCUDAStream()", ""))  # fmt: skip
    done = mend(only, selection=Selection(("CS405",)))
    assert "#include <c10/cuda/CUDAException.h>" in done.document.text
    assert "CS304" not in codes(done.result) and "CS405" not in codes(done.result)
    untouched = mend(text, selection=Selection(("CS2",)))
    assert untouched.document.text == text and untouched.applied == ()


REFERENCE = """\
import torch


class Model(torch.nn.Module):
    def __init__(self, by):
        super().__init__()
        self.by = by

    def forward(self, x):
        return x * self.by


def get_inputs():
    return [torch.randn(300)]


def get_init_inputs():
    return [3.0]
"""


def test_the_file_that_all_safe_fixes_leave_is_right_on_the_emulator() -> None:
    candidate = Candidate(mend(FIVE_FAULTS).document.text, "c.py")
    seen = emulate(candidate, Candidate(REFERENCE, "r.py"), EmulateOptions(mode="fast", timeout_s=60.0))
    assert seen.passed and seen.comparison is not None, seen.message
    assert seen.comparison.status is CaseStatus.PASSED


@pytest.mark.parametrize("end", ["\r\n", "\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_ends_and_byte_order_mark_stay(end: str, mark: str) -> None:
    raw = mark + FIVE_FAULTS.replace("\n", end)
    done = mend(raw).document.raw()
    assert done == mark + mend(FIVE_FAULTS).document.raw().replace("\n", end)


def test_mixed_line_ends_stay_where_nothing_is_changed() -> None:
    lines = edit(("TORCH_EXTENSION_NAME", "other")).split("\n")
    raw = "".join(line + ("\r\n" if i % 2 else "\n") for i, line in enumerate(lines[:-1]))
    assert mend(raw).document.raw() == raw.replace("other", "TORCH_EXTENSION_NAME")


def test_a_call_with_a_comment_behind_its_last_argument_gets_its_flags_in_the_code() -> None:
    end = "                verbose=False,\n"
    for last in ("                verbose=(False)  # quiet\n", "                verbose=False,  # quiet\n"):
        done = mend(edit((FLAGS, ""), (end, last)))
        assert codes(done.result) == []
        assert 'extra_cuda_cflags=["-O3"]' in done.document.text.split("# quiet")[0]


def test_a_source_of_one_line_literals_gets_an_escaped_line() -> None:
    head, rest = CORRECT.split('r"""\n')
    body, tail = rest.split('"""\n')
    body = body.replace(HEADERS.split("\n")[1] + "\n", "")
    plain = "".join("    '" + line.replace("\\", "\\\\") + "\\n'\n" for line in body.split("\n")[:-1])
    done = mend(head + "(\n" + plain + ")\n" + tail)
    assert "'#include <c10/cuda/CUDAGuard.h>\\n#include <torch/types.h>\\n'" in done.document.text
    assert codes(done.result) == []


@pytest.mark.parametrize(
    "text",
    [  # a name that is given to name= too; a launch between the branches of an if; a fence inside a literal
        edit(
            ('cuda_src = r"""', 'NAME = "scale_ext"\ncuda_src = "PYBIND11_MODULE(" + NAME + ", m) {" + r"""'),
            ("PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {", ""),
            ('  m.def("scale", &scale, "x times a number");\n}\n', ""),
            ('+ r"""\n', '+ r"""  }\n'),
        ),
        edit((LAUNCH_CHECK, ""), ("  scale_thread", "  if (by > 0)\n  scale_thread"), ("by, n);", "by, n); else return x;")),
        edit(('cuda_src = r"""', 'cuda_src = "```\\n" + r"""')),
    ],
)  # fmt: skip
def test_what_a_fix_would_break_is_not_offered(text: str) -> None:
    assert mend(text).document.text == text


def test_a_fix_that_does_not_mend_is_taken_back() -> None:
    text = "a = 1\nb = 2\nc = 3\n"
    wrong = Finding("X1", "error", "stays", span=Span(1, 1), fix=Fix(Span(1, 1, 1, 2), "z", safe=True))
    right = Finding("X2", "error", "goes", span=Span(3, 1), fix=Fix(Span(3, 1, 3, 2), "d", safe=True))

    def run(candidate: Candidate) -> CheckResult:
        found = [wrong] + ([right] if "c = 3" in candidate.text else [])
        return CheckResult(candidate.sha256, "strict", tuple(found), ())

    done = fixed(Document.of(text), "f.py", run, selection=Selection(("X",)))
    assert done.document.text == "a = 1\nb = 2\nd = 3\n"
    assert [f.code for f in done.applied] == ["X2"]


def test_unsafe_fixes_wait_to_be_asked_for() -> None:
    found = Finding("X1", "error", "m", span=Span(1, 1), fix=Fix(Span(1, 1, 1, 2), "z"))

    def run(candidate: Candidate) -> CheckResult:
        return CheckResult(candidate.sha256, "strict", (found,) if candidate.text[0] == "a" else (), ())

    document, every = Document.of("a = 1\n"), Selection(("X",))
    assert fixed(document, "f.py", run, selection=every).document.text == "a = 1\n"
    assert fixed(document, "f.py", run, unsafe=True, selection=every).document.text == "z = 1\n"


@pytest.mark.parametrize("raw", ["", "\n", "\r\n", "a", "\ufeffa\r\nb\rc\n\r", "\r\r\n\n"])
def test_a_document_is_written_as_it_was_read(raw: str) -> None:
    assert Document.of(raw).raw() == raw


def test_overlapping_edits_are_never_made_together() -> None:
    one = Finding("X1", "error", "one", span=Span(1, 1), fix=Fix(Span(1, 1, 1, 4), "A", safe=True))
    two = Finding("X2", "error", "two", span=Span(1, 2), fix=Fix(Span(1, 2, 1, 3), "B", safe=True))

    def run(candidate: Candidate) -> CheckResult:
        found = tuple(
            f for f in (one, two) if candidate.text.startswith("abc") or (f is two and "b" in candidate.text)
        )
        return CheckResult(candidate.sha256, "strict", found, ())

    assert fixed(Document.of("abcd\n"), "f", run, selection=Selection(("X",))).document.text == "Ad\n"
