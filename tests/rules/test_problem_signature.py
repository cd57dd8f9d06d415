"""The signature of ModelNew against what the problem calls it with."""

from __future__ import annotations

import attrs
import pytest

from cudasmith.model import Candidate, Finding
from cudasmith.model.graph import Capture, Graph, Ref
from cudasmith.rules._cases import edit
from cudasmith.rules._subject import subject
from cudasmith.rules.cs103_model_new import ModelNewForward
from cudasmith.source.filemodel import parse_file
from graphs import captured


def problem(forward: tuple[str, ...], init: tuple[str, ...]) -> Capture:
    return attrs.evolve(
        captured(Graph((), (), (), Ref("x"))), forward_args=forward, init_literals=(init, True)
    )


@pytest.mark.parametrize(
    ("forward", "init", "parameters", "said"),
    [
        (("x",), ("2",), "self, x", []),
        (("x", "y"), ("2",), "self, x, y", []),
        (("a", "b"), ("2",), "self, x, y", []),
        (("x",), ("2",), "self, x, y=None", []),
        (("x",), ("2",), "self, *xs", []),
        (("x",), ("2",), "self, x, y", ["forward takes 2 arguments, the reference's takes 1"]),
        (("x", "y"), ("2",), "self, x", ["forward takes 1 arguments, the reference's takes 2"]),
        (
            ("x", "y"),
            ("2",),
            "self, y, x",
            ["forward takes x as argument 2, the reference's as argument 1"],
        ),
        (("x",), (), "self, x", ["__init__ takes 1 arguments, the reference's takes 0"]),
    ],
)
def test_it_takes_what_the_problem_gives(
    forward: tuple[str, ...], init: tuple[str, ...], parameters: str, said: list[str]
) -> None:
    text = edit(("    def forward(self, x):", f"    def forward({parameters}):"))
    target = subject(parse_file(Candidate(text)), "default", capture=problem(forward, init))
    found = [v.message for v in ModelNewForward().check(target) if isinstance(v, Finding)]
    assert found == said
