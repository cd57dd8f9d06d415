"""What is written as JSON is read back equal."""

from __future__ import annotations

import json
import math

import pytest

from cudasmith.model import (
    CaseStatus,
    Dtype,
    Finding,
    Fix,
    InputSpec,
    Node,
    Opaque,
    Problem,
    Ref,
    SourceLine,
    Span,
    Value,
)
from cudasmith.model.jsonio import dumps, loads
from cudasmith.model.verdict import Case, CaseResult, InputCase

VALUE = Value("y", (2, 3), ("s0", "s1 - 1"), "float32", (3, 1), None)
NODE = Node(
    "y",
    "aten.to.dtype",
    (Ref("x"), Dtype("float16"), (1, 2.0, True, None, "text", (Ref("z"),)), 1.0, float("inf"), -float("inf")),
    (("device", Opaque("torch.device('cpu')")), ("empty", ())),
    VALUE,
    (VALUE,),
    SourceLine("m.py", 3, "y = x.half()"),
)
CASE = Case("one_row", (("s0", 1),), (InputCase((1, 3), "float32", "normal"),), True, 7)
NOUNS = [
    NODE,
    Problem("m.py", "text\n", payload=bytes(range(256))),
    InputSpec("k", None, float("inf")),
    InputSpec("k", None, "inf"),
    InputSpec("k", None, True),
    InputSpec("k", None, 1),
    Finding("CS101", "error", "fact", span=Span(1, 2), notes=("a", "b"), fix=Fix(Span(1), "x", safe=True)),
    CaseResult(CASE, CaseStatus.WRONG_VALUE, error_ratio=float("inf"), worst_index=(0, 1), got=0.1),
]


@pytest.mark.parametrize("noun", NOUNS, ids=lambda noun: type(noun).__name__)
def test_nouns_come_back_equal(noun: object) -> None:
    back = loads(dumps(noun), type(noun))
    assert back == noun
    assert repr(back) == repr(noun)  # 1 is not True is not 1.0


def test_nan_survives_and_the_text_is_standard_json() -> None:
    node = Node("y", "aten.full.default", (float("nan"),), (), None)
    text = dumps(node)
    json.loads(text, parse_constant=lambda name: pytest.fail(f"bare {name}"))
    back = loads(text, Node).args[0]
    assert isinstance(back, float) and math.isnan(back)
