"""A CUDA library that is missing or not linked: the help names flag and packages."""

from __future__ import annotations

import pytest

from cudasmith.stages.diagnose import diagnose


@pytest.mark.parametrize(
    ("log", "code", "says"),
    [
        ("ImportError: /x/m.so: undefined symbol: cublasCreate_v2", "DG405",
         ('extra_ldflags=["-lcublas"]', "`pip install nvidia-cublas`", "libcublas-dev")),
        ("ImportError: /x/m.so: undefined symbol: curandCreateGenerator", "DG405",
         ('extra_ldflags=["-lcurand"]', "nvidia-curand", "libcurand-dev")),
        ("ImportError: /x/m.so: undefined symbol: cudnnCreate", "DG405", ('"-lcudnn"', "nvidia-cudnn-cu13")),
        ("ImportError: /x/m.so: undefined symbol: cuInit", "DG405", ('"-lcuda"',)),
        ("main.cpp:4:10: fatal error: cusparse.h: No such file or directory", "DG221",
         ("extra_include_paths", "nvidia-cusparse", "libcusparse-dev", '"-lcusparse"')),
        ("cuda.cu:4:10: fatal error: cudnn.h: No such file or directory", "DG221", ("nvidia-cudnn-cu13", '"-lcudnn"')),
        ("cuda.cu:4:10: fatal error: curand_kernel.h: No such file or directory", "DG221", ("nvidia-curand",)),
    ],
)  # fmt: skip
def test_flag_and_packages_are_named(log: str, code: str, says: tuple[str, ...]) -> None:
    (found, *_) = diagnose(log)
    assert found.code == code
    for text in says:
        assert text in (found.help or "")
