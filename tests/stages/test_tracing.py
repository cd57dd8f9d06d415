"""What the capture worker learns, tried in this process: torch is loaded once."""

from __future__ import annotations

import time
import warnings
from pathlib import Path
from typing import Any

import pytest
import torch

from cudasmith.model import Arg, Capture, Dtype, Graph, Opaque, ProblemError, Ref
from cudasmith.model.jsonio import dumps, loads
from cudasmith.stages._tracing import export
from cudasmith.stages._tracing.budget import TooLong, cpu_budget
from cudasmith.stages._tracing.tracer import capture_here
from cudasmith.stages.read import from_module, from_source

HEAD = """\
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
class Model(nn.Module):
    def __init__(self):
        super().__init__()
        {init}
    def forward({args}):
        {forward}
def get_inputs():
    return {inputs}
"""
FORWARD_LINE, INIT_LINE, INPUTS_LINE = "m.py:10", "m.py:8", "m.py:12"


def reference(
    forward: str, init: str = "pass", inputs: str = "[torch.rand(8, 64)]", args: str = "self, x"
) -> str:
    return HEAD.format(forward=forward, init=init, inputs=inputs, args=args)


def capture(source: str) -> Capture:
    result = capture_here(from_source(source, "m.py"), lambda phase: None)
    assert loads(dumps(result), Capture) == result
    return result


def error_of(source: str) -> ProblemError:
    with pytest.raises(ProblemError) as caught:
        capture_here(from_source(source, "m.py"), lambda phase: None)
    return caught.value


def calls(graph: Graph) -> list[tuple[str, tuple[Arg, ...]]]:
    return [(node.target, node.args) for node in graph.nodes]


def test_a_cumsum_is_one_node_over_two_free_sizes() -> None:
    found = capture(reference("return torch.cumsum(x, dim=1)"))
    (node,) = found.train.nodes
    assert (node.target, node.args, node.kwargs) == ("aten.cumsum.default", (Ref("x"), 1), ())
    assert node.value is not None
    assert (node.value.shape, node.value.strides, node.value.dtype) == ((8, 64), (64, 1), "float32")
    assert node.source is not None
    assert (node.source.file, node.source.line) == ("m.py", 10)
    assert node.source.text == "return torch.cumsum(x, dim=1)"
    assert node.value.dims == found.inputs[0].value.dims if found.inputs[0].value else False
    rows, columns = found.free_sizes
    assert (rows[1:], columns[1:]) == ((8, 2, 2**63 - 1), (64, 2, 2**63 - 1))
    assert (found.same, found.dynamic, found.why_static, found.guards) == (True, True, None, ())
    assert found.train.output == Ref("cumsum") and found.forward_args == ("x",)


def test_batch_norm_keeps_its_buffers_and_differs_by_mode() -> None:
    found = capture(reference("return self.bn(x)", "self.bn = nn.BatchNorm1d(64)"))
    assert not found.same
    assert [node.target for node in found.train.nodes] == ["aten.add_.Tensor", "aten.batch_norm.default"]
    assert [node.target for node in found.eval.nodes] == ["aten.batch_norm.default"]
    paths = [(p.path, p.kind, p.requires_grad) for p in found.train.parameters]
    assert paths == [
        ("bn.weight", "parameter", True),
        ("bn.bias", "parameter", True),
        ("bn.running_mean", "buffer", False),
        ("bn.running_var", "buffer", False),
        ("bn.num_batches_tracked", "buffer", False),
    ]
    assert [entry.path for entry in found.state] == [path for path, _, _ in paths]


def test_sizes_are_expressions_and_their_arithmetic_is_nodes() -> None:
    found = capture(reference("return x.reshape(x.shape[0] // 2, 2, -1)[:, :, 1:]"))
    rows, columns = (name for name, *_ in found.free_sizes)
    size, half, view, _, _, cut = found.train.nodes
    assert size.target == "aten.sym_size.int" and size.value is not None and size.value.expr == rows
    assert half.target == "operator.floordiv" and half.value is not None
    assert (half.value.dtype, half.value.expr) == ("int", f"{rows} // 2")
    assert view.args == (Ref("x"), (Ref(half.name), 2, -1))
    assert cut.value is not None and cut.value.shape == (4, 2, 63)
    assert eval(cut.value.dims[2], {columns: 64}) == 63


def test_types_and_devices_are_plain_data() -> None:
    found = capture(
        reference("return x.to(torch.float16) + torch.zeros(64, device=x.device, dtype=torch.half)")
    )
    convert, zeros, _ = found.train.nodes
    assert convert.args == (Ref("x"), Dtype("float16"))
    assert dict(zeros.kwargs)["device"] == Opaque("torch.device('cpu')")


def test_a_tuple_result_has_values_and_getitem_nodes() -> None:
    found = capture(reference("return x.max(dim=1), [x, None, 3]"))
    maximum, first, second = found.train.nodes
    assert maximum.value is None and [v.dtype for v in maximum.values] == ["float32", "int64"]
    assert first.args == (Ref(maximum.name), 0)
    assert found.train.output == ((Ref(first.name), Ref(second.name)), (Ref("x"), None, 3))


def test_a_branch_on_sizes_is_a_guard() -> None:
    found = capture(reference("return x + 1 if x.shape[0] > x.shape[1] else x * 2"))
    (rows, *_), (columns, *_) = found.free_sizes
    assert found.guards in ((f"{rows} <= {columns}",), (f"{columns} >= {rows}",))


def test_a_constant_made_in_forward_carries_its_numbers() -> None:
    found = capture(
        reference("return x * torch.tensor([[2.0], [3.0]]).sum() + self.c", "self.c = torch.ones(64)")
    )
    assert [(p.path, p.kind, p.data) for p in found.train.parameters] == [
        ("lifted_tensor_0", "constant", ((2.0,), (3.0,))),
        ("c", "constant", None),
    ]
    assert found.train.nodes[0].args == (Ref(found.train.parameters[0].value.name),)


def test_no_grad_blocks_are_inlined() -> None:
    found = capture(reference("with torch.no_grad(): y = x * 2\n        return y + 1"))
    assert [node.target for node in found.train.nodes] == ["aten.mul.Tensor", "aten.add.Tensor"]
    assert found.train.nodes[1].args == (Ref(found.train.nodes[0].name), 1)


def test_one_tensor_given_twice_is_two_inputs() -> None:
    source = reference("return x - y * 2", inputs="[torch.rand(4)] * 2", args="self, x, y")
    assert calls(capture(source).train) == [
        ("aten.mul.Tensor", (Ref("y"), 2)),
        ("aten.sub.Tensor", (Ref("x"), Ref("mul"))),
    ]


def test_numbers_and_keywords_are_burnt_in() -> None:
    source = reference(
        "return x * k", inputs="{'x': torch.rand(4), 'k': 3.0}", args="self, x, y=None, *, k=2.0"
    )
    found = capture(source)
    assert [(spec.name, spec.literal) for spec in found.inputs] == [("x", None), ("k", 3.0)]
    assert found.forward_args == ("x", "k")
    assert calls(found.train) == [("aten.mul.Tensor", (Ref("x"), 3.0))]


def test_inputs_keep_the_names_that_forward_gives_them() -> None:
    found = capture(reference("return input + sum", inputs="[torch.rand(4)] * 2", args="self, input, sum"))
    assert [v.name for v in found.train.inputs] == ["input", "sum"]
    found = capture(reference("return sum(xs)", inputs="[torch.rand(4), torch.rand(4)]", args="self, *xs"))
    assert found.forward_args == ("xs_0", "xs_1")


def test_strides_of_the_inputs_are_kept() -> None:
    found = capture(reference("return x * 2", inputs="[torch.rand(4, 6).t()]"))
    assert found.train.inputs[0].shape == (6, 4) and found.train.inputs[0].strides == (1, 6)


def test_values_needed_while_building_are_computed() -> None:
    init = "self.s = torch.linspace(0, 1, 5)[1].item(); self.w = nn.Parameter(torch.from_numpy(np.ones(64)))"
    found = capture(reference("return x * self.s * self.w", init))
    assert calls(found.train)[0] == ("aten.mul.Tensor", (Ref("x"), 0.25))
    assert found.state[0].dtype == "float64"


def test_dimensions_that_the_model_fixes_are_numbers_in_both_modes() -> None:
    init = "self.w = nn.Parameter(torch.ones(64))"
    found = capture(reference("return x * self.w if self.training else x.sum()", init))
    assert found.dynamic and [name for name, *_ in found.free_sizes] == [found.train.inputs[0].dims[0]]
    assert found.train.inputs[0].dims[1] == found.eval.inputs[0].dims[1] == "64"


def test_tied_parameters_are_listed() -> None:
    init = "self.a = nn.Linear(64, 64); self.b = nn.Linear(64, 64); self.b.weight = self.a.weight"
    assert capture(reference("return self.b(self.a(x))", init)).tied == (("b.weight", "a.weight"),)


def test_init_arguments_are_literals_or_not() -> None:
    source = reference("return x").replace("__init__(self)", "__init__(self, *a)")
    literal = capture(source + "def get_init_inputs():\n    return [3, (1, 2.5), 'a', None]\n")
    assert literal.init_literals == (("3", "(1, 2.5)", "'a'", "None"), True)
    assert not capture(source + "def get_init_inputs():\n    return [torch.ones(2)]\n").init_literals[1]


@pytest.mark.parametrize(
    ("code", "where", "words", "source"),
    [
        ("CSP020", "m.py:13", "nothing_such", reference("return x") + "import nothing_such\n"),
        ("CSP020", "m.py:13", "SystemExit: 3", reference("return x") + "raise SystemExit(3)\n"),
        ("CSP022", INIT_LINE, "Model.__init__ raised KeyError", reference("return x", "raise KeyError('a')")),
        pytest.param(
            "CSP022",
            INIT_LINE,
            "CUDA",
            reference("return x", "self.w = torch.ones(3).cuda()"),
            marks=pytest.mark.skipif(
                torch.version.cuda is not None, reason="a torch with CUDA fakes the tensor"
            ),
        ),
        ("CSP022", "m.py:6", "takes 1", reference("return x") + "def get_init_inputs(): return [3]\n"),
        ("CSP023", INPUTS_LINE, "division by zero", reference("return x", inputs="1 / 0")),
        ("CSP024", "m.py", "returns a Tensor", reference("return x", inputs="torch.rand(3)")),
        ("CSP024", "m.py", "x of forward is a list", reference("return x", inputs="[[torch.rand(3)]]")),
        ("CSP024", "m.py", "x of forward is a ndarray", reference("return x", inputs="[np.ones(3)]")),
        ("CSP024", "m.py", "no tensor", reference("return torch.ones(3)", inputs="[3]")),
        ("CSP025", "m.py:9", "forward(x)", reference("return x", inputs="[torch.rand(2)] * 2")),
        ("CSP026", FORWARD_LINE, "ValueError: no way", reference("raise ValueError('no way')")),
        ("CSP026", FORWARD_LINE, "[8, 64]", reference("return x + torch.ones(3, 3)")),
        ("CSP027", FORWARD_LINE, "decides on the values", reference("return x if x.sum() > 0 else -x")),
        ("CSP027", FORWARD_LINE, "decides on the values", reference("return torch.zeros(int(x.sum()))")),
        ("CSP027", FORWARD_LINE, "size of a result", reference("return x[x > 0]")),
        ("CSP027", FORWARD_LINE, "numpy", reference("return torch.from_numpy(x.numpy() + 1)")),
        ("CSP028", "m.py", "returns a dict", reference("return {'y': x}")),
        ("CSP028", "m.py", "returns no tensor", reference("return 3")),
        ("CSP033", "m.py", "not a torch.nn.Module", reference("return x").replace("(nn.Module)", "")),
        ("CSP034", FORWARD_LINE, "self.n", reference("self.n += 1; return x * self.n", "self.n = 0")),
    ],
)
def test_what_cannot_be_captured_says_why_and_where(code: str, where: str, words: str, source: str) -> None:
    error = error_of(source)
    assert (error.code, error.where) == (code, where), error.message
    assert words in error.message
    assert error.help
    assert "Traceback" not in error.message and len(error.message.splitlines()) <= 2


def test_the_message_quotes_the_line() -> None:
    error = error_of(reference("return x[x > 0]"))
    assert error.message.splitlines()[1] == "    return x[x > 0]"


class Live(torch.nn.Module):  # type: ignore[misc]
    def __init__(self) -> None:
        super().__init__()
        self.linear = torch.nn.Linear(8, 4)

    def forward(self, x: Any, scale: float = 2.0) -> Any:
        return torch.relu(self.linear(x)) * scale


def test_a_live_module_goes_by_value_and_knows_its_file() -> None:
    problem = from_module(Live(), {"x": torch.rand(3, 8)})
    found = capture_here(loads(dumps(problem), type(problem)), lambda phase: None)
    assert [n.target for n in found.eval.nodes] == [
        "aten.linear.default",
        "aten.relu.default",
        "aten.mul.Tensor",
    ]
    source = found.eval.nodes[0].source
    assert source is not None and Path(source.file).name == Path(__file__).name
    assert source.text == "return torch.relu(self.linear(x)) * scale"
    assert [(entry.path, entry.shape) for entry in found.state] == [
        ("linear.weight", (4, 8)),
        ("linear.bias", (4,)),
    ]
    assert found.class_name == "Live"


def test_when_all_sizes_cannot_be_free_the_first_are(monkeypatch: pytest.MonkeyPatch) -> None:
    agreeing = export._agreeing

    def only_first(*args: Any) -> export.Pair | None:
        if not args[-1]:
            raise NotImplementedError("The inequality cannot be solved\nmore")
        return agreeing(*args)

    monkeypatch.setattr(export, "_agreeing", only_first)
    found = capture(reference("return x.relu()"))
    assert (found.dynamic, found.why_static) == (True, "The inequality cannot be solved")
    assert found.train.inputs[0].dims == (found.free_sizes[0][0], "64")


def test_a_budget_ends_the_body_though_its_exception_was_dropped_once() -> None:
    class Dropped:
        def __del__(self) -> None:  # Python prints what is raised here and goes on
            _spin(0.2)

    with pytest.raises(TooLong), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with cpu_budget(0.01):
            dropped = Dropped()
            del dropped
            _spin(5)
            raise AssertionError("the budget was forgotten")


def _spin(seconds: float) -> None:
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def test_without_time_for_free_sizes_they_are_fixed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cudasmith.stages._tracing.export.SYMBOLIC_S", 1e-6)
    found = capture(reference("return x.relu()"))
    assert (found.dynamic, found.free_sizes) == (False, ())
    assert found.train.inputs[0].dims == ("8", "64")
    assert found.why_static is not None and "free sizes" in found.why_static
