"""The fast builder's parts that need no compiler."""

from __future__ import annotations

import pytest

from cudasmith.gpu import ptxas
from cudasmith.gpu.fast.headers import implied_options, missing_light_header
from cudasmith.gpu.fast.phases import parse
from cudasmith.gpu.occupancy import occupancy
from cudasmith.hostapi.units import units
from cudasmith.model import Candidate, Extension, KernelResources
from cudasmith.source.extensions import NotKnown, extension_of, from_arguments
from cudasmith.source.filemodel import parse_file

DRYRUN = """#$ PATH=/t/bin
#$ gcc -E -x c++ "a.cu" -o "a.ii"
#$ cudafe++ --gen_module_id_file --module_id_file_name "m.id" "a.ii"
#$ gcc -D__CUDA_ARCH__=900 -E -x c++ "a.cu" -o "b.ii"
#$ "$CICC_PATH/cicc" "b.ii"
#$ ptxas -arch=sm_90 "a.ptx"
#$ fatbinary -64 "x"
#$ rm x
#$ gcc -c -x c++ "a.cpp" -o "a.o"
"""


def test_the_halves_of_nvcc_are_found() -> None:
    phases = parse(DRYRUN)
    assert phases is not None and phases.module_id_file == "m.id"
    assert [c.split()[0] for c in phases.device] == ["gcc", '"$CICC_PATH/cicc"', "ptxas", "fatbinary"]
    assert "--gen_module_id_file" not in phases.script("id")


@pytest.mark.parametrize("lost", ["cudafe++", "fatbinary", "--gen_module_id_file"])
def test_an_unknown_form_of_the_steps_is_not_guessed(lost: str) -> None:
    assert parse(DRYRUN.replace(lost, "other")) is None


def test_main_cpp_is_written_as_torch_writes_it() -> None:
    (main,) = units(Extension("m", ("int f();",), (), (("f", "doc"),)))
    assert main.text.splitlines() == [
        "#include <torch/extension.h>",
        "int f();",
        "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {",
        'm.def("f", torch::wrap_pybind_function(f), "doc");',
        "}",
    ]


def test_a_header_without_light_form_is_named() -> None:
    assert (
        missing_light_header("#include <torch/extension.h>\n#include <vector>\n#include <cub/cub.cuh>")
        is None
    )
    assert (
        missing_light_header("#include <torch/extension.h>\n# include <ATen/native/x.h>") == "ATen/native/x.h"
    )
    assert missing_light_header("#include <Python.h>") == "Python.h"


def test_the_standard_library_is_brought_where_it_is_used() -> None:
    assert implied_options("int x;", cuda=True) == []
    assert implied_options("std::sort(a, b);", cuda=False) == ["-include", "algorithm"]
    assert implied_options("__half x;", cuda=True) == ["-include", "cuda_fp16.h"]
    assert implied_options("__half x;", cuda=False) == []  # torch's headers bring it only for nvcc
    assert "-DCSM_WITH_STRING" in implied_options("std::string s;", cuda=False)


@pytest.mark.parametrize(
    ("arch", "registers", "shared", "threads", "share"),
    [
        ("sm_90", 32, 0, 256, 1.0),
        ("sm_90", 40, 0, 256, 0.75),  # 65536 / (40 -> 1280 per warp * 8 warps) = 6 blocks of 8 warps of 64
        ("sm_90", 255, 0, 1024, 0.0),  # 32 warps of 8192 registers: a block does not fit
        ("sm_86", 32, 48 << 10, 256, 2 * 8 / 48),
        ("sm_75", 64, 0, 256, 1.0),
    ],
)
def test_occupancy(arch: str, registers: int, shared: int, threads: int, share: float) -> None:
    assert occupancy(KernelResources("k", arch, registers, shared, 0), threads) == pytest.approx(share)


def test_occupancy_of_an_unknown_architecture_is_not_guessed() -> None:
    assert occupancy(KernelResources("k", "sm_999", 32, 0, 0), 256) is None


HEAD = "from torch.utils.cpp_extension import load_inline\n"


def test_a_call_of_constants_is_known() -> None:
    text = (
        HEAD + 'SRC = r"""__global__ void k() {}"""\nm = load_inline(name="m", cpp_sources="int f();", '
        'cuda_sources=[SRC], functions={"f": "doc"}, extra_cuda_cflags=["-O3"])\n'
    )
    (call,) = parse_file(Candidate(text)).builds
    assert extension_of(call) == Extension(
        "m", ("int f();",), ("__global__ void k() {}",), (("f", "doc"),), cuda_flags=("-O3",)
    )


@pytest.mark.parametrize("argument", ["cuda_sources=open('k.cu').read()", "sycl_sources=['x']", "**more"])
def test_what_is_decided_while_the_file_runs_is_not_known(argument: str) -> None:
    (call,) = parse_file(Candidate(HEAD + f'load_inline(name="m", cpp_sources="", {argument})\n')).builds
    with pytest.raises(NotKnown):
        extension_of(call)


def test_sources_that_torch_refuses_are_left_to_torch() -> None:
    with pytest.raises(NotKnown, match="cpp_sources"):
        from_arguments({"name": "m", "cpp_sources": None})
    with pytest.raises(NotKnown, match="functions"):
        from_arguments({"name": "m", "cpp_sources": "", "functions": ("f",)})


@pytest.mark.parametrize(
    ("kernel", "shown"),
    [
        ("cub::CUB_300000_SM_900::detail::EmptyKernel<void>", False),
        ("cub::detail::scan::DeviceScanKernel<cub::Policy<mine::Functor>, float*>", False),
        ("at::native::vectorized_elementwise_kernel<4>", False),
        ("scale<float>", True),
        ("pasted_float", True),
        ("mine::inner::scale<c10::Half, (int)4>", True),
        ("deeper::in_header<int>", True),
        ("(anonymous namespace)::hidden", True),
    ],
)
def test_kernels_of_libraries_are_left_out(kernel: str, shown: bool) -> None:
    source = "#include <cub/cub.cuh>\nnamespace mine::inner { template <class T> __global__ void scale(T* x); }\nPASTED(float)"
    header = "namespace deeper { template <class T> __global__ void in_header(T* x); }"
    one = KernelResources(kernel, "sm_90", 8, 0, 0, 0)
    assert (one in ptxas.of_texts([one], [source, header])) is shown
