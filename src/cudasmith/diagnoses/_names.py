"""Names that a compiler does not know: what kind of name it is, and the header that would declare it."""

from __future__ import annotations

import re
from typing import Literal

import attrs

from cudasmith.cuda.extract import symbols
from cudasmith.diagnoses._compile import Q, at_caret, own_error
from cudasmith.diagnoses._log import Log, Said
from cudasmith.diagnoses._text import namespace_at

NOT_EMULATED = "it is the emulator that lacks it: build with --executor gpu"
Kind = Literal["bound", "keyword", "removed", "shuffle", "library", "std", "namespace", "other"]

_UNDEFINED = re.compile(
    rf"""identifier\ "(?P<edg>[\w:~]+)"\ is\ undefined$
    |namespace\ "(?P<space>[\w:]+)"\ has\ no\ member\ "(?P<member>\w+)"
    |(?P<unnamed>name\ followed\ by\ "::"|name\ must\ be\ a\ namespace|this\ declaration\ has\ no\ storage
    |explicit\ type\ is\ missing)
    |{Q}(?P<gxx_member>\w+){Q}\ (?:in\ namespace|is\ not\ a\ member\ of)\ {Q}(?:::)?(?P<gxx_space>[\w:]+){Q}
    |{Q}(?P<gxx>[\w:]+){Q}\ (?:was\ not\ declared\ in\ this\ scope|does\ not\ name\ a\ |has\ not\ been\ declared)
    |the\ emulator\ does\ not\ have\ (?P<emulated>\w+)$""",
    re.VERBOSE,
)

REMOVED = {
    "AT_CHECK": "TORCH_CHECK",
    "AT_ERROR": "TORCH_CHECK(false, ...)",
    "THCudaCheck": "C10_CUDA_CHECK",
    "THCState": "nothing: the state is gone",
    "THCCeilDiv": "at::ceil_div",
    "AT_CUDA_CHECK": "C10_CUDA_CHECK",
}
SHUFFLES = {f"__{name}": f"__{name}_sync" for name in ("shfl", "shfl_up", "shfl_down", "shfl_xor")} | {
    f"__{name}": f"__{name}_sync" for name in ("ballot", "any", "all")
}

_TABLE = {
    "cuda_fp16.h": "half half2 __half __half2 __float2half __half2float __float22half2_rn __half22float2 __hadd __hmul "
    "__hfma __hmax __hmin __hgt __halves2half2 __float2half_rn __float2half2_rn make_half2 hexp hlog hsqrt htanh",
    "cuda_bf16.h": "nv_bfloat16 nv_bfloat162 __nv_bfloat16 __nv_bfloat162 __float2bfloat16 __bfloat162float "
    "__float2bfloat16_rn __bfloat1622float2",
    "cuda_fp8.h": "__nv_fp8_e4m3 __nv_fp8_e5m2 __nv_fp8x4_e4m3",
    "cfloat": "FLT_MAX FLT_MIN FLT_EPSILON DBL_MAX DBL_MIN DBL_EPSILON",
    "climits": "INT_MAX INT_MIN UINT_MAX LONG_MAX LLONG_MAX",
    "cmath": "INFINITY NAN M_PI M_SQRT2 M_SQRT1_2 M_2_SQRTPI M_E HUGE_VALF",
    "cstdint": "int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t uintptr_t intptr_t INT32_MAX UINT32_MAX",
    "cstdio": "printf fprintf stderr",
    "cassert": "assert",
    "cstring": "memcpy memset",
    "math_constants.h": "CUDART_INF_F CUDART_INF CUDART_NAN_F CUDART_PI_F CUDART_MIN_DENORM_F",
    "cuda_pipeline.h": "__pipeline_memcpy_async __pipeline_commit __pipeline_wait_prior",
    "curand_kernel.h": "curandState curandState_t curandStatePhilox4_32_10_t curand_init curand_uniform curand_normal",
    "cublas_v2.h": "cublasHandle_t cublasCreate cublasSgemm cublasGemmEx cublasStatus_t",
    "cuda_runtime.h": "dim3 cudaStream_t cudaError_t cudaMalloc cudaMemcpy cudaMemcpyAsync cudaGetLastError float4 float2 "
    "cudaDeviceSynchronize cudaStreamSynchronize cudaSetDevice cudaGetDevice cudaFree cudaMemset cudaMemsetAsync cudaSuccess "
    "cudaGetErrorString cudaPeekAtLastError cudaEvent_t cudaEventCreate cudaEventRecord cudaEventSynchronize "
    "cudaEventElapsedTime cudaDeviceProp cudaGetDeviceProperties cudaMemcpyHostToDevice cudaMemcpyDeviceToHost "
    "cudaMemcpyDeviceToDevice cudaStreamCreate cudaFuncSetAttribute cudaLaunchKernel",
    "c10/cuda/CUDAException.h": "C10_CUDA_CHECK C10_CUDA_KERNEL_LAUNCH_CHECK",
    "torch/extension.h": "TORCH_CHECK PYBIND11_MODULE AT_DISPATCH_FLOATING_TYPES AT_DISPATCH_ALL_TYPES "
    "AT_DISPATCH_FLOATING_TYPES_AND_HALF AT_DISPATCH_FLOATING_TYPES_AND2 TORCH_EXTENSION_NAME Tensor",
}
HEADERS = {name: header for header, names in _TABLE.items() for name in names.split()}

_STD_TABLE = {
    "vector": "vector",
    "algorithm": "max min sort fill clamp copy max_element min_element",
    "limits": "numeric_limits",
    "cmath": "sqrt exp log pow abs fabs tanh floor ceil isnan isinf fmax fmin",
    "string": "string to_string",
    "tuple": "tuple make_tuple tie",
    "array": "array",
    "functional": "function",
    "unordered_map": "unordered_map",
    "map": "map",
    "optional": "optional nullopt",
    "memory": "unique_ptr shared_ptr make_unique make_shared",
    "iostream": "cout cerr endl",
    "stdexcept": "runtime_error invalid_argument out_of_range",
    "utility": "pair make_pair move forward swap",
    "type_traits": "is_same is_same_v conditional enable_if",
    "cstdint": "int64_t uint32_t uint64_t int32_t",
    "mutex": "mutex lock_guard",
    "sstream": "ostringstream stringstream",
}
STD_HEADERS = {name: header for header, names in _STD_TABLE.items() for name in names.split()}

# Functions of device code that need no header; misspelt, they are what was meant.
_KNOWN = (
    "sqrtf rsqrtf expf exp2f expm1f logf log2f log10f log1pf powf tanhf sinhf coshf sinf cosf tanf asinf acosf atanf atan2f erff "
    "erfcf fabsf fmodf floorf ceilf roundf truncf rintf fmaf fminf fmaxf copysignf hypotf cbrtf normcdff isnan isinf signbit "
    "__expf __logf __powf __sinf __cosf __fdividef __frcp_rn __fsqrt_rn __fmaf_rn __ldg __ldcs __ldcg __stcs __saturatef "
    "__float2int_rn __float2int_rd __float2int_ru __float2int_rz __int2float_rn __float_as_int __int_as_float "
    "__float_as_uint __uint_as_float __popc __clz __ffs __brev __shfl_sync __shfl_up_sync __shfl_down_sync __shfl_xor_sync "
    "__ballot_sync __any_sync __all_sync __activemask __match_any_sync __reduce_add_sync __syncthreads_or __syncthreads_and "
    "__syncthreads_count __threadfence __threadfence_block __threadfence_system __nanosleep __trap clock64 "
    "atomicSub atomicExch atomicMin atomicMax atomicInc atomicDec atomicCAS atomicAnd atomicOr atomicXor "
    "__cvta_generic_to_shared __cvta_generic_to_global make_float2 make_float3 make_float4 make_int2 make_int4 "
    "__forceinline__ __restrict__ __launch_bounds__ __global__ __device__ __shared__ __constant__ __host__ "
    "float double int unsigned return const void static sizeof"
)
WELL_KNOWN = tuple(_KNOWN.split())
# Names that mean something elsewhere, and what C++ and CUDA have in their place.
_FOREIGN = {
    "True": "write true",
    "False": "write false",
    "None": "write nullptr, or std::nullopt for an optional",
    "and_": "write &&",
    "elif": "write else if",
    "def": "a function begins with its return type in C++",
    "lambda": "write [=](float v) { return ...; }",
    "len": "write .size(0), .numel() or .size()",
    "self": "kernels have no object: write the variable itself",
    "pass": "write ; or delete it",
    "float32": "write float, or torch::kFloat32 for a dtype",
    "float16": "write __half, or torch::kFloat16 for a dtype",
    "float64": "write double, or torch::kFloat64 for a dtype",
    "bfloat16": "write __nv_bfloat16, or torch::kBFloat16 for a dtype",
    "int8": "write int8_t",
    "int16": "write int16_t",
    "int32": "write int or int32_t",
    "int64": "write int64_t",
    "uint": "write unsigned",
    "uint8": "write uint8_t",
    "uint16": "write uint16_t",
    "uint32": "write uint32_t",
    "uint64": "write uint64_t",
    "u8": "write uint8_t",
    "u32": "write uint32_t",
    "u64": "write uint64_t",
    "f32": "write float",
    "f64": "write double",
    "fp16": "write __half",
    "real": "write float or double",
    "string": "write std::string, with #include <string>",
    "bool_t": "write bool",
    "get_global_id": "that is OpenCL; write blockIdx.x * blockDim.x + threadIdx.x",
    "get_local_id": "that is OpenCL; write threadIdx.x",
    "get_group_id": "that is OpenCL; write blockIdx.x",
    "barrier": "write __syncthreads()",
    "threadgroup_barrier": "that is Metal; write __syncthreads()",
    "__kernel": "that is OpenCL; write __global__ void",
    "__local": "that is OpenCL; write __shared__",
    "hipLaunchKernelGGL": "that is HIP; write kernel<<<blocks, threads>>>(...)",
    "CUDA_CHECK": "no header has this macro: use C10_CUDA_CHECK of c10/cuda/CUDAException.h, or define it",
    "CUDA_CALL": "no header has this macro: use C10_CUDA_CHECK of c10/cuda/CUDAException.h, or define it",
    "checkCudaErrors": "that is of NVIDIA's samples: use C10_CUDA_CHECK of c10/cuda/CUDAException.h, or define it",
    "gpuErrchk": "no header has this macro: use C10_CUDA_CHECK of c10/cuda/CUDAException.h, or define it",
    "CHECK_CUDA": 'no header has this macro: #define CHECK_CUDA(x) TORCH_CHECK((x).is_cuda(), #x " must be on the GPU")',
    "CHECK_INPUT": "no header has this macro: #define CHECK_INPUT(x) TORCH_CHECK((x).is_cuda() && (x).is_contiguous())",
    "CHECK_CONTIGUOUS": "no header has this macro: #define CHECK_CONTIGUOUS(x) TORCH_CHECK((x).is_contiguous())",
    "WARP_SIZE": "no header has this constant: #define WARP_SIZE 32, or use warpSize",
    "BLOCK_SIZE": "define it before this line: #define BLOCK_SIZE 256",
    "THREADS": "define it before this line: #define THREADS 256",
    "CEIL_DIV": "no header has this macro: write (a + b - 1) / b, or define it",
    "ceil_div": "write at::ceil_div of ATen/ceil_div.h, or (a + b - 1) / b",
    "cdiv": "write (a + b - 1) / b",
    "print": 'write printf("...", values); #include <cstdio>',
    "range": "write for (int i = 0; i < n; ++i)",
    "math": "C++ has the functions without it: sqrtf(v), expf(v)",
    "np": "numpy is of Python: C++ has sqrtf(v), expf(v) and so on",
    "PI": "write CUDART_PI_F of math_constants.h, or 3.14159265f",
    "pi": "write CUDART_PI_F of math_constants.h, or 3.14159265f",
    "inf": "write INFINITY",
    "nan": 'write NAN, or nanf("")',
    "sigmoid": "CUDA has none: write 1.f / (1.f + expf(-v))",
    "sigmoidf": "CUDA has none: write 1.f / (1.f + expf(-v))",
    "relu": "CUDA has none: write fmaxf(v, 0.f)",
    "gelu": "CUDA has none: write 0.5f * v * (1.f + erff(v * 0.70710678f))",
    "silu": "CUDA has none: write v / (1.f + expf(-v))",
    "swish": "CUDA has none: write v / (1.f + expf(-v))",
    "softplus": "CUDA has none: write log1pf(expf(v))",
    "clamp": "write fminf(fmaxf(v, low), high)",
    "clampf": "write fminf(fmaxf(v, low), high)",
    "square": "write v * v",
    "sign": "write copysignf(1.f, v), or (v > 0) - (v < 0)",
    "lerp": "CUDA has none: write a + t * (b - a)",
    "dot": "CUDA has none for vector types: write a.x * b.x + a.y * b.y + ...",
    "std": "include the standard header of what is used, such as <algorithm> or <limits>",
}


def foreign_name(name: str) -> str | None:
    """What to write for a name of another language, of somebody's samples, or of the C++ library without its namespace."""
    if name in _FOREIGN:
        return _FOREIGN[name]
    if (header := STD_HEADERS.get(name)) is not None and name not in WELL_KNOWN:
        return f"write std::{name}, with #include <{header}>"
    return None


def own_names(text: str) -> set[str]:
    """Names of functions, variables and macros that a source declares: behind a type, or in a #define."""
    declared = r"(?:[\w>\]]|\*|&)\s*(?:\s|\*|&)(?P<name>[A-Za-z_]\w{2,})\s*(?=[=;,()\[{:])"
    defined = r"#\s*define\s+(?P<name>\w+)"
    return {m["name"] for pattern in (declared, defined) for m in re.finditer(pattern, text)}


def space_of(text: str, name: str) -> str | None:
    """The one namespace of a source that declares the name."""
    found = {namespace_at(text, f.name_start) for f in symbols(text).functions if f.name == name}
    return found.pop() or None if len(found) == 1 else None


NAMESPACES = {
    "torch": "torch/extension.h",
    "at": "torch/extension.h",
    "c10": "torch/extension.h",
    "py": "torch/extension.h",
    "pybind11": "torch/extension.h",
    "cg": "cooperative_groups.h",
    "cooperative_groups": "cooperative_groups.h",
    "wmma": "mma.h",
    "nvcuda": "mma.h",
    "cub": "cub/cub.cuh",
    "thrust": "thrust/device_vector.h",
}
KNOWN_HEADERS = tuple(
    {*HEADERS.values(), *NAMESPACES.values()}
    | {"torch/torch.h", "torch/script.h", "torch/library.h", "torch/all.h", "ATen/ATen.h", "ATen/Dispatch.h"}
    | {"ATen/cuda/CUDAContext.h", "c10/cuda/CUDAGuard.h", "c10/cuda/CUDAStream.h", "c10/util/Half.h"}
    | {
        "pybind11/pybind11.h",
        "pybind11/stl.h",
        "cuda.h",
        "cuda_pipeline.h",
        "cuda/barrier",
        "cooperative_groups/reduce.h",
    }
)
_MEMBERS = {
    ("at", "acc_type"): "ATen/AccumulateType.h",
    ("at::cuda", "getCurrentCUDAStream"): "ATen/cuda/CUDAContext.h",
    ("c10::cuda", "getCurrentCUDAStream"): "c10/cuda/CUDAStream.h",
    ("c10::cuda", "CUDAGuard"): "c10/cuda/CUDAGuard.h",
    ("at::cuda", "CUDAGuard"): "c10/cuda/CUDAGuard.h",
    ("at::cuda", "OptionalCUDAGuard"): "c10/cuda/CUDAGuard.h",
}
# Namespaces of which torch's headers declare a part: the header for the rest, and names of it.
_LIBRARY_NAMES = {
    "cub": (
        "cub/cub.cuh",
        "BlockReduce WarpReduce BlockScan WarpScan BlockLoad BlockStore BlockRadixSort BlockHistogram DeviceReduce DeviceScan "
        "DeviceRadixSort DeviceSegmentedReduce DeviceSegmentedRadixSort DeviceSelect DeviceHistogram Sum Max Min",
    ),
    "cooperative_groups": (
        "cooperative_groups.h",
        "this_thread_block this_grid tiled_partition thread_block grid_group",
    ),
    "cg": ("cooperative_groups.h", "this_thread_block this_grid tiled_partition thread_block grid_group"),
    "thrust": ("thrust/device_ptr.h", "device_ptr device_pointer_cast"),
    "at::cuda": (
        "ATen/cuda/CUDAContext.h",
        "getCurrentCUDABlasHandle getCurrentDeviceProperties getCurrentCUDASparseHandle",
    ),
}


@attrs.frozen
class Unknown:
    """A name that is not declared where it is used. `header` would declare it, where that is known."""

    said: Said
    name: str
    kind: Kind
    header: str | None = None


def unknown_name(log: Log) -> Unknown | None:
    """The first name that a compiler did not know, unless an earlier error may be the cause."""
    found = own_error(log, _UNDEFINED) or _less_than(log)
    if found is None:
        return None
    said, match = found
    space, member = match["space"] or match["gxx_space"], match["member"] or match["gxx_member"]
    if space and member:
        return _member(said, space, member)
    if match["unnamed"]:
        return _namespace(log, said)
    name = match["edg"] or match["gxx"] or match["emulated"]
    if "::" in name or not name:
        return None
    if name in NAMESPACES and name not in HEADERS:
        return Unknown(said, name, "namespace", NAMESPACES[name])
    if re.search(rf"\bm\.def\(.*\b{name}\b", "\n".join(log.lines[said.at + 1 : said.at + 3])):
        return Unknown(said, name, "bound")
    if name in (
        "__global__",
        "__device__",
        "__shared__",
        "threadIdx",
        "blockIdx",
        "blockDim",
        "__syncthreads",
    ):
        return Unknown(said, name, "keyword" if match["gxx"] else "other")
    if name in REMOVED:
        return Unknown(said, name, "removed")
    if name in SHUFFLES:
        return Unknown(said, name, "shuffle")
    header = HEADERS.get(name)
    return Unknown(said, name, "library" if header else "other", header)


def _less_than(log: Log) -> tuple[Said, re.Match[str]] | None:
    """An unknown name before a `<`, which cudafe++ reads as a template: it misses the `>` before the name."""
    found = own_error(log, 'expected a ">"$')
    behind = next((s for s in log.said if found and s.at > found[0].at), None)
    if found is None or behind is None or (behind.file, behind.line) != (found[0].file, found[0].line):
        return None
    match = _UNDEFINED.match(behind.text)
    return (behind, match) if match is not None else None


def _member(said: Said, space: str, member: str) -> Unknown | None:
    if space == "std":
        return Unknown(said, member, "std", STD_HEADERS.get(member))
    root = _LIBRARY_NAMES.get(space, ("", ""))
    header = _MEMBERS.get((space, member)) or (root[0] if member in root[1].split() else None)
    return Unknown(said, f"{space}::{member}", "library", header) if header else None


def _namespace(log: Log, said: Said) -> Unknown | None:
    """The namespace at the caret: cudafe++ does not say its name."""
    words = re.findall(r"\w+", at_caret(log, said))
    name = words[0] if words else ""
    for space in ("at", "c10"):  # at::cuda:: is complained of at cuda
        if len(words) > 1 and (member := _member(said, f"{space}::{name}", words[1])) is not None:
            return member
    if name in HEADERS and re.fullmatch("[A-Z][A-Z0-9_]+", name):
        return Unknown(said, name, "library", HEADERS[name])
    if name not in NAMESPACES:
        return None
    return Unknown(said, name, "namespace", NAMESPACES[name])
