"""CS304."""

from __future__ import annotations

import attrs

from cudasmith.rules._cases import CORRECT, edit
from cudasmith.rules._rule import Rule, Verdicts, severities
from cudasmith.rules._subject import Part, Subject


@attrs.frozen
class Need:
    """Names, the header that declares them, and headers known to bring it along."""

    names: tuple[str, ...]
    header: str
    brought_by: tuple[str, ...] = ()


_TORCH = (
    "torch/types.h",
    "torch/extension.h",
    "torch/torch.h",
    "torch/all.h",
    "ATen/ATen.h",
    "torch/python.h",
)
_CUDA_CONTEXT = (
    "ATen/cuda/CUDAContext.h",
    "ATen/cuda/CUDAEvent.h",
    "ATen/cuda/CUDAUtils.h",
    "ATen/cuda/CUDABlas.h",
)
_STREAM = ("c10/cuda/CUDAGuard.h", "c10/cuda/CUDACachingAllocator.h", *_CUDA_CONTEXT)
_PYBIND = ("torch/extension.h", "torch/torch.h", "torch/python.h", "pybind11/pybind11.h")
_HALF = (*_TORCH, *_STREAM, "c10/cuda/CUDAStream.h", "c10/util/Half.h", "ATen/cuda/Atomic.cuh", "mma.h")

# Source: what each header includes in turn, PyTorch 2.13.
NEEDS = (
    Need(
        ("C10_CUDA_KERNEL_LAUNCH_CHECK", "C10_CUDA_CHECK"),
        "c10/cuda/CUDAException.h",
        (
            "c10/cuda/CUDAStream.h",
            "c10/cuda/CUDAFunctions.h",
            "ATen/cuda/Exceptions.h",
            "ATen/cuda/CUDAContextLight.h",
            *_STREAM,
        ),
    ),
    Need(("AT_CUDA_CHECK",), "ATen/cuda/Exceptions.h", _CUDA_CONTEXT),
    Need(
        ("getCurrentCUDAStream", "getDefaultCUDAStream", "getStreamFromPool"),
        "c10/cuda/CUDAStream.h",
        _STREAM,
    ),
    Need(
        ("CUDAGuard", "OptionalCUDAGuard", "CUDAStreamGuard"),
        "c10/cuda/CUDAGuard.h",
        ("ATen/cuda/CUDAEvent.h",),
    ),
    Need(
        ("getCurrentDeviceProperties", "getCurrentCUDABlasHandle"),
        "ATen/cuda/CUDAContext.h",
        ("ATen/cuda/CUDAContextLight.h", *_CUDA_CONTEXT),
    ),
    Need(("__half", "half", "half2", "__half2", "__float2half", "__half2float"), "cuda_fp16.h", _HALF),
    Need(("__nv_bfloat16", "__nv_bfloat162", "__float2bfloat16", "__bfloat162float"), "cuda_bf16.h", _HALF),
    Need(("PYBIND11_MODULE",), "torch/csrc/utils/pybind.h", _PYBIND),
    Need(("wmma",), "mma.h"),
    Need(("cooperative_groups",), "cooperative_groups.h", ("cooperative_groups/reduce.h", "cuda/pipeline")),
    Need(("curand_init", "curand_uniform", "curand_normal"), "curand_kernel.h", ("curand_philox4x32_x.h",)),
)
_CUB = ("BlockReduce", "BlockScan", "WarpReduce", "WarpScan", "DeviceReduce", "DeviceScan", "BlockRadixSort")
_GUARD = "#include <c10/cuda/CUDAGuard.h>\n"
_STREAM_LINE = "#include <c10/cuda/CUDAStream.h>\n"
_ERRORS = "#include <c10/cuda/CUDAException.h>\n"


class NeededHeader(Rule):
    """Each name of PyTorch or CUDA that needs its own header has it included.

    load_inline adds torch/types.h, cuda.h and cuda_runtime.h to the CUDA source and torch/extension.h
    to the C++ source, unless no_implicit_headers is true. It does not add the launch check, the
    stream, the device guard or, in the CUDA source, pybind11. A header that includes another counts
    for it, so ATen/cuda/CUDAContext.h is enough for a stream.
    """

    code = "CS304"
    name = "needed-header"
    severity = severities("error", "error")
    BAD = (
        edit(
            (_GUARD, ""),
            (_STREAM_LINE, ""),
            (_ERRORS, "#include <torch/extension.h>\n"),
            ("C10_CUDA_KERNEL_LAUNCH_CHECK();", "C10_CUDA_KERNEL_LAUNCH_CHECK();  // HERE"),
            ("CUDAStream()>>>(", "CUDAStream()>>>(  // HERE"),
            ("guard(x.device());", "guard(x.device());  // HERE"),
        ),
        edit((_GUARD, ""), ("guard(x.device());", "guard(x.device());  // HERE")),
        edit(
            ("#include <torch/csrc/utils/pybind.h>\n", ""),
            (
                "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {",
                "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {  // HERE",
            ),
        ),
        edit(
            (
                "__global__ void",
                "__device__ void f() { using namespace nvcuda; wmma::mem_row_major; }  // HERE\n"
                "__global__ void",
            )
        ),
    )
    GOOD = (
        CORRECT,
        edit((_GUARD, _GUARD + "#include <ATen/cuda/CUDAContext.h>\n"), (_STREAM_LINE, ""), (_ERRORS, "")),
        edit(("__global__ void", "__device__ float f(half h) { return __half2float(h); }\n__global__ void")),
        edit(("__global__ void", "#define C10_CUDA_CHECK(e) e\n__global__ void"), (_ERRORS, "")),
    )

    def check(self, subject: Subject) -> Verdicts:
        for _, part in subject.parts():
            included = set(part.symbols.includes)
            if part.build.implicit_headers:
                included |= (
                    {"torch/types.h", "cuda_runtime.h"}
                    if part.region.kind == "cuda"
                    else {"torch/extension.h"}
                )
            defined = set(part.symbols.macros) | {f.name for f in part.symbols.functions}
            for need in NEEDS:
                if included.isdisjoint((need.header, *need.brought_by)):
                    yield from self._missing(subject, part, need, defined)
            if (
                not any(i.startswith("cub/") or i == "ATen/cuda/cub.cuh" for i in included)
                and "cub" in part.symbols.words
            ):
                yield from self._missing(subject, part, Need(_CUB, "cub/cub.cuh"), defined)

    def _missing(self, subject: Subject, part: Part, need: Need, defined: set[str]) -> Verdicts:
        words = part.symbols.words
        used = sorted((words[n], n) for n in need.names if n in words and n not in defined)
        if not used:
            return
        at, name = used[0]
        line = f"#include <{need.header}>\n"
        text = part.region.text
        first = len(text) - len(text.lstrip())
        fix = subject.rewrite(part, first, first, line)
        message = f"{name} needs {need.header}, which is not included"
        yield self.found(subject, part.span(at, at + len(name)), message, help=f"add {line.strip()}", fix=fix)
