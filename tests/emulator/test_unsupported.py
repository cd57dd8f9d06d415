"""What the emulator lacks is named with its line, in one sentence."""

from __future__ import annotations

import pytest

from cudasmith import emulator
from cudasmith.emulator.unsupported import check_supported, missing_in_emulator

_REFUSED = {
    "#include <cub/cub.cuh>": "the header <cub/cub.cuh>",
    "#include <cublas_v2.h>": "the header <cublas_v2.h>",
    "#include <curand_kernel.h>": "the header <curand_kernel.h>",
    "#include <cuda/barrier>": "the header <cuda/barrier>",
    "#include <cooperative_groups/memcpy_async.h>": "the header <cooperative_groups/memcpy_async.h>",
    "__global__ void k(cudaTextureObject_t t);": "textures and surfaces (cudaTextureObject_t)",
    "__device__ float f() { return tex1Dfetch(t, 0); }": "textures and surfaces (tex1Dfetch)",
    "texture<float, 1> old;": "textures and surfaces (texture)",
    "__global__ void k() { child<<<1, 32>>>(); }": "dynamic parallelism (the launch of child by a kernel)",
    "template <int N> __device__ void f(int a) { if (a) child<N><<<1, N>>>(); }": "dynamic parallelism",
    "void f() { cudaLaunchKernelEx(&config, k); }": "thread block clusters (cudaLaunchKernelEx)",
    "void f() { cudaStreamBeginCapture(s, m); }": "CUDA graphs (cudaStreamBeginCapture)",
}


@pytest.mark.parametrize("line", _REFUSED)
def test_an_unsupported_construct_is_named_with_its_line(line: str) -> None:
    text = f'// cub/cub.cuh, tex2D(), texture<float>\nconst char* s = "cudaTextureObject_t";\n\n{line}\n'
    with pytest.raises(emulator.EmulatorBuildError) as caught:
        check_supported(text, "cuda_sources[0]")
    assert str(caught.value).startswith(f"cuda_sources[0]:4: the emulator does not have {_REFUSED[line]}")
    assert caught.value.unsupported


def test_ordinary_code_is_not_refused() -> None:
    check_supported(
        "#include <cooperative_groups/reduce.h>\n#include <mma.h>\n"
        "__global__ void k() {}\n__host__ __device__ inline int f() { return 1; }\n"
        "template <int N> struct texture_like {};\nint texture = 0, tex2D = 1;\n"
        "void host() { k<<<1, 32>>>(); auto g = [&] { k<<<1, 1>>>(); }; }\n"
    )


def test_a_name_of_cuda_that_is_not_known_is_said_to_be_missing() -> None:
    source = "#include <torch/extension.h>\n__global__ void k(unsigned* x) {\n  x[0] = __vsad_of_nobody(x[1]);\n}\n"
    with pytest.raises(emulator.EmulatorBuildError) as caught:
        emulator.load_inline(
            name="missing",
            cpp_sources=[],
            cuda_sources=[source + "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {}\n"],
        )
    assert str(caught.value).startswith("cuda_sources[0]:3: the emulator does not have __vsad_of_nobody (")
    assert missing_in_emulator("mine.h: No such file or directory") == "the header <mine.h>"
    assert missing_in_emulator("'foo' is not a member of 'nvcuda::wmma'") == "foo"
    assert missing_in_emulator("'total' was not declared in this scope") == ""
    assert missing_in_emulator("expected ';' before '}' token") == ""
