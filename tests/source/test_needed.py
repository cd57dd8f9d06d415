"""The part of a file that some of its names need."""

from __future__ import annotations

from cudasmith.source.needed import only_needed

FILE = """import torch
N = 4
ext = build(
    "text",
)

@torch.no_grad()
def wide():
    return N + 1

class Model(torch.nn.Module):
    def forward(self, x):
        return x * wide()

class ModelNew(torch.nn.Module):
    def forward(self, x):
        return ext.f(x)
"""


def test_only_what_the_names_need_stays_on_its_lines() -> None:
    before, after = FILE.split("\n"), only_needed(FILE, {"Model"}).split("\n")
    assert len(before) == len(after)
    assert [i for i, line in enumerate(after, 1) if line and line == before[i - 1]] == [
        1,
        2,
        7,
        8,
        9,
        11,
        12,
        13,
    ]
    assert "ext" not in "".join(after)


def test_a_name_that_is_not_there_needs_nothing() -> None:
    assert only_needed("import os\nx = 1\n", {"y"}).split("\n") == ["import os", "", ""]
