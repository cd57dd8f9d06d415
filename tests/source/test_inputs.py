"""What get_inputs tells of the tensors, and which tensor of forward reaches a call."""

from __future__ import annotations

import pytest

from cudasmith.model import Candidate
from cudasmith.rules._cases import CORRECT, PASSED, edit
from cudasmith.source.filemodel import parse_file
from cudasmith.source.inputs import Input, declared_inputs, forward_parameter


@pytest.mark.parametrize(
    ("expression", "dtype", "strided"),
    [
        ("torch.randn(4, 4)", "float", False),
        ("torch.randn(4, 4, device='cuda', dtype=torch.half)", "half", False),
        ("torch.rand(4, 4).cuda().bfloat16()", "bfloat16", False),
        ("torch.rand(4, 4).to('cuda')", "float", False),
        ("torch.rand(4, 4).to(dtype=torch.float16)", "half", False),
        ("torch.rand(4, 4).to(KIND)", None, False),
        ("torch.randint(0, 9, (4,))", "long", False),
        ("torch.randint(0, 9, (4,), dtype=torch.int32)", "int", False),
        ("torch.rand(4) > 0.5", "bool", False),
        ("torch.rand(4, 4) * 2 - 1", "float", False),
        ("torch.rand(4, 4).t()", "float", True),
        ("torch.rand(4, 4).permute(1, 0).half()", "half", True),
        ("torch.rand(4, 4).t().contiguous()", "float", False),
        ("make()", None, False),
        ("3", None, False),
    ],
)
def test_an_input_tells_its_dtype_and_layout(expression: str, dtype: str | None, strided: bool) -> None:
    text = f"import torch\nKIND = torch.half\ndef get_inputs():\n    x = {expression}\n    return [x]\n"
    assert declared_inputs(parse_file(Candidate(text))) == (Input(dtype, strided),)


def test_nothing_is_told_when_the_default_dtype_is_changed_or_no_list_is_returned() -> None:
    body = "def get_inputs():\n    return [torch.randn(4)]\n"
    changed = "import torch\ntorch.set_default_dtype(torch.half)\n" + body
    assert declared_inputs(parse_file(Candidate(changed))) == ()
    assert declared_inputs(parse_file(Candidate("def get_inputs():\n    return make()\n"))) == ()


FORWARD = "        return Scale.apply(self.ext, x, self.by)\n"


@pytest.mark.parametrize(
    ("text", "position"),
    [
        (CORRECT, 0),
        (PASSED, 0),
        (edit(("Scale.apply(self.ext, x,", "Scale.apply(self.ext, x.contiguous(),")), 0),
        (edit((FORWARD, "        y = x.contiguous()\n        return self.ext.scale(y, 2)\n")), 0),
        (edit((FORWARD, "        y = torch.empty_like(x)\n        return self.ext.scale(y, 2)\n")), None),
        (edit((FORWARD, "        x = x.clone()\n        return self.ext.scale(x, 2)\n")), None),
        (edit((FORWARD, "        return self.ext.scale(self.weight, 2)\n")), None),
        (edit(("forward(self, x)", "forward(self, first, x)")), 1),
        (edit(("def forward(ctx, ext, x, by)", "def backward(ctx, ext, x, by)")), None),
    ],
)
def test_a_tensor_is_followed_back_to_the_parameter_of_forward(text: str, position: int | None) -> None:
    file = parse_file(Candidate(text))
    call = max(file.handles.calls, key=lambda c: c.call.lineno)
    assert forward_parameter(file, call.arguments[0]) == position
