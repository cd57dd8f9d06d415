"""References that cover the dangers of pooling."""

from __future__ import annotations

from cudasmith.ops._unit import OpCase


def _case(name: str, module: str, inputs: str, forward: str = "self.pool(x)") -> OpCase:
    source = f"""import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.pool = {module}

    def forward(self, x):
        return {forward}


def get_inputs():
    return [{inputs}]


def get_init_inputs():
    return []
"""
    return OpCase(name, source)


_NAN = "torch.randn(2, 3, 12, 20).index_fill(3, torch.tensor([4, 11]), float('nan'))"

CASES = (
    _case("max_pool2d_overlapping_rows", "nn.MaxPool2d(4, 1, 1)", "torch.randn(2, 3, 21, 40)"),
    _case("nan_window", "nn.MaxPool2d(3, 2, 1)", _NAN),
    _case("ceil_mode_drops_last_window", "nn.AvgPool2d(2, 3, 1, ceil_mode=True)", "torch.randn(2, 3, 9, 12)"),
    _case(
        "divisor_override",
        "nn.AvgPool2d((3, 2), 2, 1, count_include_pad=False, divisor_override=5)",
        "torch.randn(2, 2, 13, 17)",
    ),
    _case(
        "padding_is_not_counted",
        "nn.AvgPool3d(3, 2, 1, count_include_pad=False)",
        "torch.randn(2, 2, 7, 9, 16)",
    ),
    _case("padding_is_counted", "nn.AvgPool3d(3, 2, 1)", "torch.randn(1, 2, 8, 9, 20)"),
    _case("dilation", "nn.MaxPool3d(3, 2, 1, 3)", "torch.randn(1, 3, 14, 16, 24)"),
    _case(
        "indices_ties",
        "nn.MaxPool2d(3, 2, 1, return_indices=True)",
        "torch.randint(0, 3, (2, 2, 11, 14)).float()",
    ),
    _case("long_row_in_tiles", "nn.MaxPool1d(8, 1, 4, 3)", "torch.randn(2, 2, 2500)"),
    _case("mean_of_halves_in_float", "nn.AvgPool1d(8, 1, 4)", "torch.randn(2, 3, 64).half()"),
    _case("unbatched", "nn.MaxPool2d((2, 3))", "torch.randn(4, 15, 24)", "self.pool(x) * 2"),
    _case("windows_side_by_side", "nn.AvgPool2d(11)", "torch.randn(1, 2, 47, 68).double()"),
    _case("adaptive_non_divisible", "nn.AdaptiveAvgPool2d((5, None))", "torch.randn(2, 3, 13, 8)"),
    _case("global_mean", "nn.AdaptiveAvgPool2d(1)", "torch.randn(2, 5, 9, 11)"),
    _case(
        "adaptive_max_indices",
        "nn.AdaptiveMaxPool1d(4, return_indices=True)",
        "torch.randint(0, 4, (2, 3, 18)).float()",
    ),
    _case("adaptive_max_volume", "nn.AdaptiveMaxPool3d((2, 3, 2))", "torch.randn(2, 2, 5, 7, 6)"),
)
