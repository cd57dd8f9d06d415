"""References that cover the dangers of scans."""

from __future__ import annotations

from cudasmith.ops._unit import OpCase


def _case(name: str, forward: str, inputs: str = "torch.randn(5, 37)", args: str = "x") -> OpCase:
    source = f"""import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    def forward(self, {args}):
        return {forward}


def get_inputs():
    return [{inputs}]


def get_init_inputs():
    return []
"""
    return OpCase(name, source)


_LEADING = "torch.zeros_like(x.select(1, 0).unsqueeze(1))"
_MASKED = "torch.rand(4, 300), torch.rand(4, 300) > 0.5"
_LARGE_INTS = "torch.randint(2**29, 2**30, (3, 70), dtype=torch.int32)"
_TIES_AND_NAN = "torch.tensor([1.0, 3.0, 3.0, float('nan'), 2.0]).repeat(4, 9)"
_INFINITIES = "torch.full((3, 40), -float('inf')).index_fill(1, torch.tensor([5, 17]), 0.5)"

CASES = (
    _case("row_longer_than_a_tile_not_a_multiple", "torch.cumsum(x, dim=1)", "torch.rand(3, 9001)"),
    _case("few_long_rows_split_in_chunks", "torch.cumsum(x.flip(1), dim=1).flip(1)", "torch.rand(2, 20480)"),
    _case(
        "short_rows_of_a_transposed_tensor",
        "torch.cumsum(x.transpose(0, 2), dim=-1)",
        "torch.rand(20, 5, 9)",
    ),
    _case("middle_dim_with_odd_inner", "torch.cumsum(x, dim=1)", "torch.rand(3, 150, 7)"),
    _case("first_dim_split_in_chunks", "torch.cumsum(x, dim=0)", "torch.rand(1100, 3)"),
    _case("masked_input_is_folded", "torch.cumsum(x * mask, dim=1)", _MASKED, "x, mask"),
    _case(
        "exclusive_reads_one_less_than_it_writes",
        f"torch.cat(({_LEADING}, torch.cumsum(x.narrow(1, 0, x.size(1) - 1), dim=1)), dim=1)",
        "torch.rand(4, 1300)",
    ),
    _case("one_longer_than_the_input", "F.pad(torch.cumsum(x, 1), (1, 0))", "torch.rand(5, 36)"),
    _case(
        "zeros_first_and_last_row_cut",
        f"torch.cumsum(torch.cat(({_LEADING}, x), dim=1)[:-1], dim=1)",
        "torch.rand(5, 40)",
    ),
    _case(
        "reverse_exclusive_product_in_double",
        "torch.cat((torch.cumprod(x.flip(0), 0).flip(0)[1:], torch.ones_like(x[:1])), dim=0)",
        "torch.rand(30, 6).double() + 0.5",
    ),
    _case("int_sums_to_int64_without_overflow", "torch.cumsum(x, dim=1)", _LARGE_INTS),
    _case("bool_counts", "torch.cumsum(x > 0, dim=0) - 1", "torch.randn(65, 9)"),
    _case("half_accumulates_in_float", "torch.cumsum(x, dim=1)", "torch.rand(3, 2000).half()"),
    _case("cummax_ties_and_nan", "torch.cummax(x, dim=1)", _TIES_AND_NAN),
    _case("cummin_values_only_of_infinities", "torch.cummin(-x, dim=0)[0]", _INFINITIES),
    _case("cummax_indices_only_of_ints", "torch.cummax(x, dim=1)[1]", "torch.randint(-9, 9, (4, 50))"),
    _case("logcumsumexp_of_minus_infinity", "torch.logcumsumexp(x * 300, dim=1)", _INFINITIES),
    _case("scalar_has_one_slice", "torch.cumsum(x, dim=0) * 2", "torch.rand(())"),
)
