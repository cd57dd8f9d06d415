"""Elements of a tensor that are asked for as a type that torch does not have."""

from __future__ import annotations

import pytest

from captured import applied, log_text, source
from cudasmith.stages.diagnose import diagnose, proven


@pytest.mark.parametrize(
    ("log", "line"),
    [
        ("data_ptr_half_light",
         "(reinterpret_cast<__half*>(x.data_ptr<at::Half>()), reinterpret_cast<__half*>(y.data_ptr<at::Half>()), n);"),
        ("data_ptr_bfloat16_light",
         "(reinterpret_cast<__nv_bfloat16*>(x.data_ptr<at::BFloat16>()), "
         "reinterpret_cast<__nv_bfloat16*>(y.data_ptr<at::BFloat16>()), n);"),
        ("data_ptr_long_long_import", "long long* p = reinterpret_cast<long long*>(x.data_ptr<int64_t>());"),
    ],
)  # fmt: skip
def test_every_call_of_the_line_is_cast(log: str, line: str) -> None:
    candidate = source(log)
    assert candidate is not None
    (found, *_) = diagnose(log_text(log), candidate)
    assert found.fix is not None and found.span is not None
    fixed = applied(candidate.text, found.fix).splitlines()[found.span.line - 1]
    assert fixed.endswith(line)
    assert candidate.text.splitlines()[found.span.line - 1][found.span.column - 2] == "<"


def test_no_header_can_mend_it_so_the_light_headers_decide() -> None:
    assert proven(diagnose(log_text("data_ptr_half_light"), source("data_ptr_half_light")))


@pytest.mark.parametrize(
    ("kind", "help"),
    [
        ("float4", "reinterpret_cast<float4*>(x.data_ptr<float>())"),
        ("char", "data_ptr<int8_t>()"),
        ("const float", "const_data_ptr<float>()"),
        ("void", "data_ptr()"),
        ("Pair", "reinterpret_cast<Pair*>(x.data_ptr<float>())"),
    ],
)
def test_the_help_names_torchs_own_type(kind: str, help: str) -> None:
    log = f'cuda.cu(9): error: incomplete type "c10::CppTypeToScalarType<{kind}>" is not allowed'
    (found, *_) = diagnose(log)
    assert found.code == "DG316" and help in (found.help or "")


def test_an_incomplete_type_of_the_user_is_another_matter() -> None:
    (found, *_) = diagnose('cuda.cu(9): error: incomplete type "Plan" is not allowed')
    assert found.code == "DG287"
