"""References that cover the dangers of convolutions."""

from __future__ import annotations

from cudasmith.model import Tier
from cudasmith.ops._unit import OpCase


def _case(
    name: str,
    module: str,
    inputs: str,
    forward: str = "self.conv(x)",
    tiers: tuple[Tier, ...] = ("minimal", "fast"),
) -> OpCase:
    source = f"""import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = {module}

    def forward(self, x):
        return {forward}


def get_inputs():
    return [{inputs}]


def get_init_inputs():
    return []
"""
    return OpCase(name, source, tiers)


_FUNCTIONAL = """import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    def forward(self, x, weight):
        return F.conv2d(x, weight, padding=1)


def get_inputs():
    return [torch.randn(2, 3, 8, 9), torch.randn(4, 3, 3, 3)]


def get_init_inputs():
    return []
"""

CASES = (
    _case("square_kernel", "nn.Conv2d(3, 18, 3, bias=False)", "torch.randn(2, 3, 11, 13)"),
    _case(
        "asymmetric_kernel_dilation_padding",
        "nn.Conv2d(4, 6, (3, 5), stride=(1, 2), padding=(2, 4), dilation=(2, 3))",
        "torch.randn(2, 4, 14, 21)",
    ),
    _case("groups", "nn.Conv2d(6, 8, 3, padding=1, groups=2)", "torch.randn(2, 6, 9, 10)"),
    _case(
        "depthwise_multiplier_strided",
        "nn.Conv2d(3, 6, (3, 4), stride=2, padding=1, groups=3)",
        "torch.randn(2, 3, 15, 12)",
    ),
    _case(
        "depthwise_1d",
        "nn.Conv1d(4, 4, 5, padding=2, dilation=2, groups=4)",
        "torch.randn(2, 4, 23)",
        tiers=("fast",),
    ),
    _case(
        "depthwise_3d",
        "nn.Conv3d(3, 3, 3, padding=(0, 1, 1), groups=3)",
        "torch.randn(2, 3, 6, 8, 9)",
        tiers=("fast",),
    ),
    _case(
        "pointwise_channels_not_a_multiple_of_the_tile",
        "nn.Conv2d(5, 33, 1)",
        "torch.randn(2, 5, 9, 17)",
        tiers=("fast",),
    ),
    _case(
        "same_padding_even_kernel",
        "nn.Conv2d(3, 4, (4, 3), padding='same', dilation=(1, 2))",
        "torch.randn(2, 3, 9, 11)",
    ),
    _case(
        "one_d_strided_dilated",
        "nn.Conv1d(5, 7, 3, stride=3, dilation=4)",
        "torch.randn(2, 5, 41)",
        tiers=("fast",),
    ),
    _case(
        "three_d",
        "nn.Conv3d(2, 5, (2, 3, 3), stride=(1, 2, 1), padding=(1, 0, 1))",
        "torch.randn(2, 2, 6, 9, 8)",
    ),
    _case("unbatched", "nn.Conv2d(3, 4, 3, padding=1)", "torch.randn(3, 9, 12)"),
    _case(
        "relu_and_scale_after",
        "nn.Conv2d(3, 20, 3, padding=1)",
        "torch.randn(2, 3, 9, 10)",
        "F.relu(self.conv(x)) * 0.5",
    ),
    _case(
        "transposed_output_padding",
        "nn.ConvTranspose2d(4, 18, 3, stride=2, padding=1, output_padding=1)",
        "torch.randn(2, 4, 7, 9)",
    ),
    _case(
        "transposed_stride_phases_without_taps",
        "nn.ConvTranspose2d(3, 4, (2, 3), stride=(3, 5), padding=1, dilation=(2, 5))",
        "torch.randn(2, 3, 6, 7)",
    ),
    _case(
        "transposed_groups",
        "nn.ConvTranspose2d(8, 12, (3, 5), stride=(2, 3), padding=(1, 2), dilation=(2, 1), groups=4)",
        "torch.randn(2, 8, 6, 9)",
    ),
    _case(
        "transposed_depthwise_1d",
        "nn.ConvTranspose1d(4, 4, 4, stride=2, groups=4)",
        "torch.randn(2, 4, 17)",
        tiers=("fast",),
    ),
    _case(
        "transposed_three_d",
        "nn.ConvTranspose3d(3, 4, (3, 3, 2), stride=2, padding=1, output_padding=(1, 0, 1))",
        "torch.randn(2, 3, 4, 5, 6)",
    ),
    _case(
        "half_accumulates_in_float",
        "nn.Conv2d(6, 17, 3).half()",
        "torch.randn(2, 6, 9, 10).half()",
        tiers=("fast",),
    ),
    _case(
        "bfloat16_transposed",
        "nn.ConvTranspose1d(5, 4, 3).bfloat16()",
        "torch.randn(2, 5, 19).bfloat16()",
        tiers=("minimal",),
    ),
    _case(
        "double",
        "nn.Conv2d(3, 34, 3, padding=1).double()",
        "torch.randn(2, 3, 8, 9).double()",
        tiers=("fast",),
    ),
    OpCase("kernel_size_known_at_run_time", _FUNCTIONAL, ("minimal",)),
)

__all__ = ["CASES"]
