"""What the emulator lacks is named with its line, in one sentence."""

from __future__ import annotations

import pytest

from cudasmith import emulator
from cudasmith.emulator.unsupported import lacking, missing_in_emulator

_REFUSED = {
    "#include <cub/block/block_histogram.cuh>": "the header <cub/block/block_histogram.cuh>",
    "#include <cublasLt.h>": "the header <cublasLt.h>",
    "#include <thrust/sort.h>": "the header <thrust/sort.h>",
    "#include <curand_kernel.h>": "the header <curand_kernel.h>",
    "#include <cuda/semaphore>": "the header <cuda/semaphore>",
    "#include <cooperative_groups/details/info.h>": "the header <cooperative_groups/details/info.h>",
    "__global__ void k(cudaTextureObject_t t);": "textures and surfaces (cudaTextureObject_t)",
    "__device__ float f() { return tex1Dfetch(t, 0); }": "textures and surfaces (tex1Dfetch)",
    "texture<float, 1> old;": "textures and surfaces (texture)",
    "void f() { cudaLaunchKernelEx(&config, k); }": "thread block clusters (cudaLaunchKernelEx)",
    "void f() { cudaStreamBeginCapture(s, m); }": "CUDA graphs (cudaStreamBeginCapture)",
}


@pytest.mark.parametrize("line", _REFUSED)
def test_an_unsupported_construct_is_named_with_its_line(line: str) -> None:
    text = f'// cub/cub.cuh, tex2D(), texture<float>\nconst char* s = "cudaTextureObject_t";\n\n{line}\n'
    refusals = list(lacking(text, "cuda_sources[0]"))
    assert str(refusals[0]).startswith(f"cuda_sources[0]:4: the emulator does not have {_REFUSED[line]}")
    assert all(refusal.line == 4 for refusal in refusals)


def test_ordinary_code_lacks_nothing() -> None:
    text = "#include <cooperative_groups/reduce.h>\n#include <mma.h>\nint texture = 0, tex2D = 1;\n"
    assert list(lacking(text + "template <int N> struct texture_like {};\n")) == []


def _built(source: str) -> str:
    """What is said of the source's build."""
    source = "#include <torch/extension.h>\n" + source + "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {}\n"
    try:
        emulator.load_inline(name="lacking", cpp_sources=[], cuda_sources=[source])
    except emulator.EmulatorBuildError as error:
        assert error.unsupported
        return str(error)
    return ""


def test_a_refusal_needs_the_compilers_word_that_the_construct_is_compiled() -> None:
    texture = "__global__ void k(float* x, cudaTextureObject_t t) { x[0] = tex1Dfetch<float>(t, 0); }\n"
    expected = "cuda_sources[0]:2: the emulator does not have textures and surfaces (cudaTextureObject_t)"
    assert _built(texture) == expected
    assert _built("#ifdef __CUDA_ARCH__\n" + texture + "#endif\n") == ""
    assert _built("#include <cudnn.h>\n").endswith(":2: the emulator does not have the header <cudnn.h>")


def test_a_kernel_that_launches_is_a_fault() -> None:
    source = "#include <torch/extension.h>\n__global__ void child() {}\n__global__ void k() { child<<<1, 1>>>(); }\n"
    source += "void run() { k<<<1, 1>>>(); }\n"
    source += 'PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("run", &run); }\n'
    module = emulator.load_inline(name="launching", cpp_sources=[], cuda_sources=[source])
    with pytest.raises(
        emulator.EmulatorFault, match=r"launches child in line 3: dynamic parallelism is not emulated"
    ):
        module.run()


def test_a_name_of_cuda_that_is_not_known_is_said_to_be_missing() -> None:
    source = "__global__ void k(unsigned* x) {\n  x[0] = __vsad_of_nobody(x[1]);\n}\n"
    assert _built(source) == "cuda_sources[0]:3: the emulator does not have __vsad_of_nobody"
    assert missing_in_emulator("mine.h: No such file or directory") == "the header <mine.h>"
    assert missing_in_emulator("'foo' is not a member of 'nvcuda::wmma'") == "foo"
    assert missing_in_emulator("'WarpMergeSort' is not a member of 'cub'") == "cub::WarpMergeSort"
    assert missing_in_emulator("no member named 'latch' in namespace 'cuda::std'") == "cuda::std::latch"
    assert (
        missing_in_emulator("no member named 'Tail' in 'cub::WarpReduce<float>'") == "cub::WarpReduce::Tail"
    )
    assert (
        missing_in_emulator("'class cuda::barrier<cuda::thread_scope_block>' has no member named 'try_wait'")
        == "cuda::barrier::try_wait"
    )
    assert missing_in_emulator("'total' was not declared in this scope") == ""
    assert missing_in_emulator("expected ';' before '}' token") == ""
