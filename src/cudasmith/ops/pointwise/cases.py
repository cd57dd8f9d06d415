"""References that cover the dangers of elementwise chains."""

from __future__ import annotations

from cudasmith.ops._unit import OpCase


def _case(name: str, forward: str, inputs: str = "[torch.randn(6, 37)]", args: str = "x") -> OpCase:
    source = f"""import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    def forward(self, {args}):
        return {forward}


def get_inputs():
    return {inputs}


def get_init_inputs():
    return []
"""
    return OpCase(name, source)


CASES = (
    _case("one_operator", "torch.relu(x)"),
    _case(
        "every_activation_in_one_chain",
        "F.gelu(F.relu(x) + F.silu(x)) * torch.sigmoid(x) - F.elu(x) + F.selu(x) * F.leaky_relu(x, 0.2)"
        " + F.hardswish(x) + F.hardsigmoid(x) + F.softplus(x) + F.mish(x) + F.hardtanh(x) + F.softsign(x)"
        " + F.gelu(x, approximate='tanh') + torch.tanh(x) + F.logsigmoid(x) + F.celu(x, 0.7) + F.relu6(x)",
    ),
    _case("power_and_roots", "torch.sqrt(x.abs() + 1.0) + torch.pow(x, 3.0) + torch.rsqrt(x * x + 0.5)"),
    _case(
        "broadcast_over_middle_dim",
        "(x + b) * s - y",
        "[torch.randn(5, 6, 7), torch.randn(6, 1), torch.randn(()), torch.randn(5, 6, 7)]",
        "x, b, s, y",
    ),
    _case("outer_product_by_broadcast", "x * y", "[torch.randn(9, 1), torch.randn(1, 35)]", "x, y"),
    _case(
        "half_with_float_scalar",
        "F.relu(x * 0.1 + 1.0)",
        "[torch.randn(5, 67).half()]",
    ),
    _case(
        "bfloat16_and_float32_promote",
        "x * y + 1",
        "[torch.randn(4, 35).bfloat16(), torch.randn(4, 35)]",
        "x, y",
    ),
    _case(
        "int_division_gives_float", "x / 3 + y", "[torch.randint(0, 9, (5, 33)), torch.randn(5, 33)]", "x, y"
    ),
    _case(
        "compare_and_select",
        "torch.where(x > y, x, y * 2).masked_fill(x < -1, 0.5).clamp(-1.0, 1.5)",
        "[torch.randn(5, 33), torch.randn(5, 33)]",
        "x, y",
    ),
    _case("double_precision", "torch.exp(-x * x) / (1 + torch.exp(x))", "[torch.randn(3, 21).double()]"),
    _case("integer_arithmetic_wraps_as_pytorch", "x * 3 - x * x", "[torch.randint(-9, 9, (5, 33))]"),
)
