"""Which spellings are one scan, which are not, and what the emitted text then holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudasmith.model import Capture, Graph, Ref, Step
from cudasmith.ops import Match, Refusal, unit
from cudasmith.ops.scan.pattern import find, size_difference
from cudasmith.stages.capture import capture
from cudasmith.stages.plan import plan, plan_graph
from cudasmith.stages.read import read
from graphs import graph, node, value

ONE_KERNEL = {
    "reverse": ("x.flip(1).cumsum(1).flip(-1)", "reverse_cumsum"),
    "exclusive by narrow": (
        "torch.cat((torch.zeros_like(x.select(1, 0).unsqueeze(1)),"
        " torch.cumsum(x.narrow(1, 0, x.size(1) - 1), 1)), 1)",
        "exclusive_cumsum",
    ),
    "exclusive by slices": (
        "torch.cat([torch.zeros_like(x[:, :1]), torch.cumsum(x[:, :-1], 1)], 1)",
        "exclusive_cumsum",
    ),
    "scan, then put in front and cut": (
        "torch.cat([torch.zeros(x.shape[0], 1), x.cumsum(1)], 1)[:, :-1]",
        "exclusive_cumsum",
    ),
    "scan, then cut and put in front": (
        "torch.cat([torch.full((x.size(0), 1), 0.0), x.cumsum(1)[:, : x.size(1) - 1]], 1)",
        "exclusive_cumsum",
    ),
    "put in front, then scan": ("F.pad(x[:, :-1], (1, 0)).cumsum(1)", "exclusive_cumsum"),
    "one pad both ways": ("F.pad(x.cumsum(1), (1, -1))", "exclusive_cumsum"),
    "pad of a scan": ("F.pad(x.cumsum(1), (1, 0))[:, :-1]", "exclusive_cumsum"),
    "rolled": (
        "torch.cat([torch.zeros_like(x[:, :1]), torch.roll(x.cumsum(1), 1, 1)[:, 1:]], 1)",
        "exclusive_cumsum",
    ),
    "one longer": ("torch.cat([x.new_zeros(x.size(0), 1), x.cumsum(1)], 1)", "exclusive_cumsum"),
    "rows cut": ("torch.cumsum(torch.cat((torch.zeros_like(x[:, :1]), x), 1)[:-1], 1)", "exclusive_cumsum"),
    "product with ones": ("F.pad(x.cumprod(1)[:, :-1], (1, 0), value=1.0)", "exclusive_cumprod"),
    "reverse exclusive inside flips": (
        "torch.flip(F.pad(torch.flip(x, [-1]).cumsum(-1)[:, :-1], (1, 0)), [-1])",
        "reverse_exclusive_cumsum",
    ),
    "reverse exclusive at the far end": (
        "torch.cat((x.flip(0).cumsum(0).flip(0)[1:], torch.zeros_like(x[:1])), 0)",
        "reverse_exclusive_cumsum",
    ),
}
NOT_ONE_KERNEL = {
    "flip of another dim": "x.flip(0).cumsum(1).flip(0)",
    "flip on one side": "x.cumsum(1).flip(1)",
    "flip of both dims": "x.flip(0, 1).cumsum(1).flip(0, 1)",
    "wrong identity for a product": "F.pad(x.cumprod(1)[:, :-1], (1, 0))",
    "wrong identity for a sum": "F.pad(x.cumsum(1)[:, :-1], (1, 0), value=1.0)",
    "put behind": "torch.cat([x.cumsum(1)[:, :-1], torch.zeros_like(x[:, :1])], 1)",
    "two dropped": "torch.cat([torch.zeros_like(x[:, :2]), x[:, :-2].cumsum(1)], 1)",
    "put in front along another dim": "torch.cat([torch.zeros_like(x[:1]), x.cumsum(1)], 0)",
    "every second kept": "F.pad(x.cumsum(1)[:, ::2], (1, 0))",
    "cyclic": "torch.roll(x.cumsum(1), 1, 1)",
    "reflected": "F.pad(x.cumsum(1), (1, 0), mode='reflect')[:, :-1]",
}


def _capture(forms: list[str], where: Path) -> Capture:
    lines = ["import torch", "import torch.nn as nn", "import torch.nn.functional as F", ""]
    lines += ["class Model(nn.Module):", "    def forward(self, x):", "        return ("]
    lines += [f"            {form}," for form in forms]
    lines += ["        )", "", "def get_inputs():", "    return [torch.rand(6, 9)]", ""]
    lines += ["def get_init_inputs():", "    return []", ""]
    file = where / "forms.py"
    file.write_text("\n".join(lines))
    return capture(read(file))


@pytest.fixture(scope="module")
def accepted(tmp_path_factory: pytest.TempPathFactory) -> tuple[Step, ...]:
    captured = _capture([form for form, _ in ONE_KERNEL.values()], tmp_path_factory.mktemp("accepted"))
    return plan(captured).eval.steps


@pytest.fixture(scope="module")
def refused(tmp_path_factory: pytest.TempPathFactory) -> Graph:
    return _capture(list(NOT_ONE_KERNEL.values()), tmp_path_factory.mktemp("refused")).eval


@pytest.mark.parametrize("name", ONE_KERNEL)
def test_this_spelling_is_one_scan(name: str, accepted: tuple[Step, ...]) -> None:
    kernels = [step.kernel for step in accepted if step.kernel is not None]
    assert [step.kind for step in accepted] == ["kernel"] * len(ONE_KERNEL)
    found = kernels[list(ONE_KERNEL).index(name)].name.rstrip("0123456789_")
    assert found == ONE_KERNEL[name][1]


@pytest.mark.parametrize("name", NOT_ONE_KERNEL)
def test_this_spelling_keeps_its_parts(name: str, refused: Graph) -> None:
    assert isinstance(refused.output, tuple)
    root = refused.output[list(NOT_ONE_KERNEL).index(name)]
    assert isinstance(root, Ref)
    last = refused.node(root.name)
    assert last is not None and find(refused, last) is None


def test_a_scan_that_is_read_elsewhere_stays_whole() -> None:
    x, dims = value("x", "s0", "s1"), ("s0", "s1")
    nodes = (
        node("f", "aten.flip.default", Ref("x"), (1,), out=value("f", *dims)),
        node("c", "aten.cumsum.default", Ref("f"), 1, out=value("c", *dims)),
        node("g", "aten.flip.default", Ref("c"), (1,), out=value("g", *dims)),
    )
    g = graph((x,), nodes, (Ref("g"), Ref("c")))
    assert find(g, nodes[2]) is None
    steps = plan_graph(g, "fast").steps
    assert [s.kind for s in steps].count("kernel") == 1


@pytest.mark.parametrize(
    ("given", "out", "refused"),
    [
        ("float32", "float64", False),
        ("bool", "int64", False),
        ("float32", "float16", True),
        ("int64", "bool", True),
        ("complex64", "complex64", True),
    ],
)
def test_dtypes_that_a_scan_runs_in(given: str, out: str, refused: bool) -> None:
    n = node("c", "aten.cumsum.default", Ref("x"), 0, out=value("c", "s0", dtype=out))
    found = unit("scan").match(graph((value("x", "s0", dtype=given),), (n,)), n)
    assert isinstance(found, Refusal if refused else Match)


@pytest.mark.parametrize(
    ("larger", "smaller", "difference"),
    [
        ("s27", "s27 - 1", 1),
        ("s27 + 1", "s27", 1),
        ("64", "63", 1),
        ("2*s0 + 3", "2*s0 - 1", 4),
        ("s27", "s28", None),
        ("s27", "5", None),
        ("(s0 + 1)//2", "(s0 + 1)//2", 0),
        ("Max(1, s0 - 1)", "Max(1, s0)", None),
    ],
)
def test_sizes_that_differ_by_a_constant(larger: str, smaller: str, difference: int | None) -> None:
    assert size_difference(larger, smaller) == difference
