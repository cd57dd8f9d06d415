"""Refused calls of bindings in other writings, and texts that only look like a known failure."""

from __future__ import annotations

import pytest

from cudasmith.diagnoses._call import split
from cudasmith.model import Candidate
from cudasmith.stages.diagnose import UNKNOWN, diagnose

REFUSED = (
    "TypeError: f(): incompatible function arguments. The following argument types are supported:\n"
    "    1. ({params}) -> torch.Tensor\n\nInvoked with: {given}\n"
)


@pytest.mark.parametrize(
    ("params", "given", "code"),
    [
        ("arg0: at::Tensor, arg1: int", "tensor([1., 2.]), 1.5", "DG508"),
        ("arg0: at::Tensor, arg1: float", "tensor([1., 2.],\n       device='cuda:0')", "DG502"),
        ("arg0: torch.Tensor, arg1: int", "2, tensor([[1., 2.],\n        [3., 4.]], device='cuda:0')", "DG504"),
        ("x: torch.Tensor, n: int = 4", "tensor([1., 2.]), 1, 2", "DG503"),
        ("x: torch.Tensor, n: int = 4", "None", "DG505"),
        ("x: torch.Tensor", "(tensor([1.]), tensor([2.]))", "DG507"),
        ("x: typing.SupportsFloat", "'a, b'", "DG509"),
        ("x: Optional[torch.Tensor], n: int", "None, 'a'", "DG509"),
    ],
)  # fmt: skip
def test_a_refused_call_is_explained(params: str, given: str, code: str) -> None:
    assert diagnose(REFUSED.format(params=params, given=given))[0].code == code


@pytest.mark.parametrize(
    "text",
    [
        "AttributeError: module 'torch' has no attribute 'flot32'",
        "AttributeError: 'NoneType' object has no attribute 'group'",
        "TypeError: cannot pickle '_thread.lock' object",
        "IndexError: list index out of range",
        "ImportError: cannot import name 'load_inlin' from 'torch.utils.cpp_extension'",
        "RuntimeError: the config must be a dict",
    ],
)
def test_other_errors_of_python_are_left_alone(text: str) -> None:
    assert diagnose(text)[0].code == UNKNOWN


def test_arguments_are_split_outside_brackets_and_quotes() -> None:
    assert split("tensor([1., 2.]), 'a, b', f(1, 2)") == ["tensor([1., 2.])", "'a, b'", "f(1, 2)"]


def test_a_signature_that_differs_is_told_by_parameter() -> None:
    text = (
        "import torch\nfrom torch.utils.cpp_extension import load_inline\n\n"
        "load_inline('f', 'void f(torch::Tensor x, int n, int m);', 'void f(torch::Tensor x, int64_t n, int m) {}')\n"
    )
    log = "ImportError: /home/user/f/f.so: undefined symbol: _Z1fN2at6TensorEii"
    (found,) = diagnose(log, Candidate(text, "/home/user/f.py"))
    assert found.code == "DG401"
    assert "n is int in the declaration and int64_t in the definition" in found.message
    assert found.span is not None and found.span.line == 4
    assert "void f(torch::Tensor x, int64_t n, int m);" in (found.help or "")


def test_a_modules_own_name_is_replaced() -> None:
    text = (
        "import torch\nfrom torch.utils.cpp_extension import load_inline\n\n"
        "load_inline('f', 'PYBIND11_MODULE(other, m) {}')\n"
    )
    log = "ImportError: dynamic module does not define module export function (PyInit_f)"
    (found,) = diagnose(log, Candidate(text, "/home/user/f.py"))
    assert found.code == "DG402"
    assert found.fix is not None and found.fix.text == "TORCH_EXTENSION_NAME"
    line = text.split("\n")[found.fix.span.line - 1]
    assert line[found.fix.span.column - 1 : found.fix.span.end_column - 1] == "other"


def test_arguments_that_the_log_lost_are_not_called_missing() -> None:
    rows = "\n".join(["        [1., 2.],"] * 300)
    params = "arg0: torch.Tensor, arg1: float"
    whole = REFUSED.format(params=params, given=f"tensor([\n{rows}\n        [3., 4.]]); kwargs: eps=1e-06")
    assert "no parameter named eps" in diagnose(whole)[0].message
    cut = REFUSED.format(params=params, given=f"tensor([\n{rows}")
    assert all("without" not in f.message for f in diagnose(cut))


@pytest.mark.parametrize(
    ("returns", "use", "error", "named"),
    [
        ("std::vector<torch::Tensor>", "y.cpu()", "AttributeError: 'list' object has no attribute 'cpu'", "f() returns a list"),
        ("std::tuple<torch::Tensor, int>", "y[:, 0]", "TypeError: tuple indices must be integers or slices, not tuple", "f() returns a tuple"),
        ("std::vector<at::Tensor>", "torch.relu(y)", "TypeError: relu(): argument 'input' (position 1) must be Tensor, not list", "f() returns a list"),
        ("torch::Tensor", "y.cpu()", "AttributeError: 'list' object has no attribute 'cpu'", "a list stands where"),
        ("torch::Tensor", "z[:, 0]", "TypeError: list indices must be integers or slices, not tuple", ""),
        ("std::vector<torch::Tensor>", "y.nothing", "AttributeError: 'list' object has no attribute 'nothing'", ""),
    ],
)  # fmt: skip
def test_a_list_used_as_a_tensor_is_told_with_the_function_that_gave_it(
    returns: str, use: str, error: str, named: str
) -> None:
    text = (
        "import torch\nfrom torch.utils.cpp_extension import load_inline\n"
        f'src = "{returns} f(torch::Tensor x) {{ return {{}}; }}"\n'
        'm = load_inline(name="m", cpp_sources=src, functions=["f"])\n'
        f"y = m.f(torch.ones(3))\nprint({use})\n"
    )
    log = (
        f'Traceback (most recent call last):\n  File "a.py", line 6, in <module>\n    print({use})\n{error}\n'
    )
    (found, *_) = diagnose(log, Candidate(text, "a.py"))
    assert (found.code == "DG551") is bool(named)
    assert named in found.message
