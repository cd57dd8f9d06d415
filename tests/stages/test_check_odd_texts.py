"""check of texts that no person writes: nesting without bound, names in circles, bytes that are no text."""

from __future__ import annotations

import pytest

from cudasmith.model import Candidate
from cudasmith.rules._cases import CORRECT, edit
from cudasmith.stages.check import CheckResult, check

N = 10_000
RETURN = "        return Scale.apply(self.ext, x, self.by)"
STORE = "out[i] = __ldg(x + i) * by;"


def in_forward(statements: str) -> CheckResult:
    return check(Candidate(edit((RETURN, statements + RETURN))))


def in_kernel(statement: str) -> CheckResult:
    return check(Candidate(edit((STORE, statement))))


@pytest.mark.parametrize(
    "expression",
    ["(" * N + ")" * N, "[" * N, "-" * N + "1", "not " * N + "1", "a" + ".b" * N, "lambda: " * N],
)
def test_python_that_nests_too_deeply_is_a_file_that_python_cannot_read(expression: str) -> None:
    assert [f.code for f in check(Candidate(f"x = {expression}")).findings] == ["CS102"]


@pytest.mark.parametrize(
    "statement",
    [
        "out[i] = " + "(" * N + "x[i]" + ")" * N + ";",
        "{" * N + STORE + "}" * N,
        "out[i] = x[i]" + " + 1" * N + ";",
        "a" + ".b()" * N + "; " + STORE,
    ],
)
def test_cuda_that_nests_deeply_is_read(statement: str) -> None:
    assert in_kernel(statement).status == "passed"


def test_loops_in_one_another_are_gone_through_in_bounded_time() -> None:
    depth = 40  # twice each would be a million million times
    loops = "".join(f"for (int k{i} = 0; k{i} < 2; ++k{i}) " for i in range(depth))
    assert in_kernel("__shared__ float s[32]; " + loops + "s[0] = 1.0f; " + STORE).status != "undecided"


@pytest.mark.parametrize(
    "statement", ["out[i] = " + "(" * N, "__launch_bounds__(" * N + STORE, 'R"(' * N, "k<<<" * N]
)
def test_cuda_that_is_never_closed_is_told(statement: str) -> None:
    assert "CS408" in [f.code for f in in_kernel(statement).findings]


def test_preprocessor_conditionals_may_nest_at_any_depth() -> None:
    nested = "#ifdef A\n" * N + "int z;\n" + "#endif\n" * N
    assert check(Candidate(edit(("__global__", nested + "__global__")))).status == "passed"


def test_names_that_stand_for_each_other_end() -> None:
    circle = "".join(f"        a = b + {i}\n        b = a * c\n        c = a.t() + b\n" for i in range(60))
    result = in_forward("        b = x\n" + circle)
    assert [f.code for f in result.findings].count("CS502") >= 60


def test_a_chain_of_names_is_followed_to_its_end() -> None:
    chain = "".join(f"        y{i} = y{i + 1}.view(1)\n" for i in range(2000))
    assert in_forward(chain + "        y2000 = x\n").status == "passed"


def test_what_a_rule_cannot_follow_is_undecided_and_no_pass() -> None:
    result = in_forward("        x = x" + " + 1" * 1500 + "\n")
    assert [u.code for u in result.undecided] == ["CS502"]
    assert result.status == "undecided"


def test_a_null_byte_is_told_at_its_line() -> None:
    (finding,) = check(Candidate(CORRECT.replace("import torch.nn", "import torch\0.nn", 1))).findings
    assert finding.code == "CS102" and finding.span is not None and finding.span.line == 2
