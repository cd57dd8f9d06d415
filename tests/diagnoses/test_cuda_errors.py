"""The ways in which programs write a CUDA error, and texts that only look like one."""

from __future__ import annotations

import pytest

from cudasmith.model import Candidate
from cudasmith.stages.diagnose import UNKNOWN, diagnose


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("CUDA error: invalid argument", "DG610"),
        ("CUDA error: out of memory", "DG611"),
        ("CUDA Runtime Error: misaligned address", "DG602"),
        ("THCudaCheck FAIL file=/x/y.cu line=84 error=74 : misaligned address", "DG602"),
        ("misaligned address", "DG602"),
        ("CUDA error 700 at file.cu:12", "DG601"),
        ("[rank5]: RuntimeError: CUDA error: invalid device ordinal", "DG614"),
        ("Failed: Cuda error ./ripser++.cu:2371 'invalid device function'", "DG613"),
        ("Check failed: error == cudaSuccess (8 vs. 0)  invalid device function", "DG613"),
        ("[702] Call to cuMemcpyDtoH results in CUDA_ERROR_LAUNCH_TIMEOUT", "DG606"),
        ("Error Code 1: Cuda Runtime (invalid resource handle)", "DG630"),
        ("cuda failed with error 222 the provided PTX was compiled with an unsupported toolchain", "DG622"),
        ("CUDA error: operation not supported on global/shared address space (code 717)", "DG603"),
        ("OSError: [Errno 22] Invalid argument", UNKNOWN),
        ("g++: error: invalid argument", UNKNOWN),
        ('/x/cuda.cu(3): error: identifier "cudaErrorIllegalAddress" is undefined', "DG215"),
        ('    raise RuntimeError("CUDA error: invalid argument")', UNKNOWN),
        ("Killed the process that held the lock", UNKNOWN),
        ("all 12 Aborted transactions were retried", UNKNOWN),
    ],
)
def test_an_error_is_known_in_every_writing(text: str, code: str) -> None:
    assert diagnose(text)[0].code == code


def test_an_abort_after_a_cuda_error_is_its_consequence() -> None:
    text = "terminate called after throwing an instance of 'c10::Error'\n  what():  CUDA error: misaligned address"
    assert [f.code for f in diagnose(text, returncode=-6)] == ["DG602"]


CUDA = """import torch
from torch.utils.cpp_extension import load_inline

cuda = r'''
__global__ void k(float* x) {{ x[0] = 1.f; }}
void f(float* x) {{
  {launch}
}}
'''
load_inline("one", "void f(float*);", cuda)
"""


def candidate(launch: str) -> Candidate:
    return Candidate(CUDA.format(launch=launch), "/home/user/one.py")


def test_a_file_with_one_launch_is_told_its_place() -> None:
    (found,) = diagnose(
        "CUDA error: too many resources requested for launch", candidate("k<<<1, 1024>>>(x);")
    )
    assert found.span is not None and found.span.line == 7
    two = diagnose(
        "CUDA error: too many resources requested for launch", candidate("k<<<1, 8>>>(x); k<<<1, 9>>>(x);")
    )
    assert two[0].span is None


def test_a_kernel_that_failed_earlier_is_named_when_it_is_the_only_one() -> None:
    (found,) = diagnose("CUDA error: misaligned address", candidate("k<<<1, 1>>>(x);"))
    assert "of the kernels of this file only k can have failed" in found.notes


@pytest.mark.parametrize(
    ("launch", "fixed"),
    [
        ("k<<<1, 256, bytes>>>(x);", True),
        ("if (x) k<<<1, 256, bytes>>>(x);", False),  # a statement before it would leave the condition
        ("k<<<1, 256, 0, stream>>>(x);", False),
        (
            "cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, b);\n  k<<<1, 2, b>>>(x);",
            False,
        ),
    ],
)
def test_shared_memory_is_asked_for_only_where_that_is_sure_to_help(launch: str, fixed: bool) -> None:
    (found,) = diagnose("CUDA error: invalid argument", candidate(launch))
    assert (found.fix is not None) is fixed


def test_the_place_that_a_check_in_the_cuda_text_names_is_the_users() -> None:
    text = "CUDA error at /home/user/.cache/torch_extensions/one/cuda.cu:7: invalid device ordinal"
    (found,) = diagnose(text, candidate("k<<<1, 1>>>(x);"))
    assert found.span is not None and found.span.line == 7  # three lines of headers, three of Python
