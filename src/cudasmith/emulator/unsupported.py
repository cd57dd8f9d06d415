"""Constructs of CUDA that the emulator does not have: named with their line before a compiler lists its errors."""

from __future__ import annotations

import re

from cudasmith.cuda.launches import find_launches
from cudasmith.cuda.tokens import Token, line_of, matching, tokenize
from cudasmith.emulator.errors import EmulatorBuildError

_TEXTURES = "textures and surfaces"
_CLUSTERS = "thread block clusters"
_GRAPHS = "CUDA graphs"
_NAMES = {
    "cudaTextureObject_t": _TEXTURES,
    "cudaSurfaceObject_t": _TEXTURES,
    "cudaCreateTextureObject": _TEXTURES,
    "cudaCreateSurfaceObject": _TEXTURES,
    "cudaMallocArray": _TEXTURES,
    "cudaBindTexture": _TEXTURES,
    "this_cluster": _CLUSTERS,
    "cluster_group": _CLUSTERS,
    "cudaLaunchKernelEx": _CLUSTERS,
    "cudaLaunchKernelExC": _CLUSTERS,
    "__cluster_dims__": _CLUSTERS,
    "this_multi_grid": "groups of several GPUs",
    "cudaGraph_t": _GRAPHS,
    "cudaStreamBeginCapture": _GRAPHS,
    "cudaGraphLaunch": _GRAPHS,
    "cuTensorMapEncodeTiled": "tensor maps (TMA)",
    "CUtensorMap": "tensor maps (TMA)",
}
_TEXTURE_CALL = re.compile(r"(tex|surf)(1D|2D|3D|Cubemap)\w*$")
_HEADER = re.compile(
    r"^[ \t]*#[ \t]*include[ \t]*[<\"](?P<header>(?:cub|thrust|cutlass|cute|cuda|cooperative_groups)/[^>\"]+"
    r"|(?:cublas\w*|curand\w*|cusparse\w*|cufft\w*|cusolver\w*|cudnn\w*|nccl|nvrtc|cuda_fp[468]"
    r"|cudaTypedefs|cuda_texture_types|texture_\w+|surface_\w+|cub|ATen/cuda/CUDABlas|ATen/cudnn/\w+)\.(?:h|cuh|hpp))[>\"]",
    re.MULTILINE,
)
_OWN = ("cooperative_groups/reduce.h", "cooperative_groups/scan.h")
# What a compiler says of a name or a header that it does not know.
_UNKNOWN = re.compile(
    r"['‘](?P<name>(?:::)?(?:\w+::)*(?:__\w+|cuda[A-Z]\w*|cu[A-Z]\w*|CU_\w+|CUDA_\w+|CUDART_\w+))['’]"
    r" (?:was not declared|does not name a type|has not been declared|is not a member)"
    r"|^(?:use of undeclared identifier|unknown type name) '(?P<clang>(?:__|cuda[A-Z]|cu[A-Z]|CU)\w*)'"
    r"|^['‘](?P<member>\w+)['’] is not a member of ['‘](?:nvcuda::wmma|cooperative_groups|nvcuda)['’]"
    r"|^(?P<header>[\w./-]+): No such file or directory|^'(?P<file>[\w./-]+)' file not found"
)


def check_supported(text: str, label: str = "") -> None:
    """Raises: EmulatorBuildError at the first construct that the emulator does not have."""
    for found in _HEADER.finditer(text):
        if found["header"] not in _OWN:
            raise _refusal(f"the header <{found['header']}>", text, label, found.start())
    tokens = tokenize(text)
    for i, token in enumerate(tokens):
        if token.kind != "name":
            continue
        construct = _NAMES.get(token.text)
        after = tokens[i + 1].text if i + 1 < len(tokens) else ""
        if (_TEXTURE_CALL.match(token.text) and after in ("(", "<")) or (
            token.text == "texture" and after == "<"
        ):
            construct = _TEXTURES
        if construct is not None:
            raise _refusal(f"{construct} ({token.text})", text, label, token.start)
    inside = _device_bodies(tokens)
    for site in find_launches(text):
        if any(start < site.start < end for start, end in inside):
            raise _refusal(
                f"dynamic parallelism (the launch of {site.kernel} by a kernel)", text, label, site.start
            )


def missing_in_emulator(message: str) -> str:
    """The construct that a compiler's message shows to be missing, or empty when the message shows nothing of CUDA."""
    found = _UNKNOWN.search(message)
    if found is None:
        return ""
    header = found["header"] or found["file"]
    return f"the header <{header}>" if header else found["name"] or found["clang"] or found["member"]


def _refusal(construct: str, text: str, label: str, offset: int) -> EmulatorBuildError:
    start = offset + len(text[offset:]) - len(text[offset:].lstrip())
    return EmulatorBuildError(
        f"the emulator does not have {construct}",
        source=label or None,
        line=line_of(text, start),
        unsupported=construct,
    )


def _device_bodies(tokens: list[Token]) -> list[tuple[int, int]]:
    """Offsets of the bodies of __global__ functions and of __device__ functions that are not __host__ too."""
    found = []
    for i, token in enumerate(tokens):
        if token.text not in ("__global__", "__device__"):
            continue
        at, host = i, False
        while at < len(tokens) and tokens[at].text not in ("{", ";", "="):
            host = host or tokens[at].text == "__host__"
            closing = matching(tokens, at) if tokens[at].text == "(" else None
            at = (closing if closing is not None else at) + 1
        host = host or (i > 0 and tokens[i - 1].text == "__host__")
        if host or at >= len(tokens) or tokens[at].text != "{":
            continue
        closing = matching(tokens, at)
        if closing is not None:
            found.append((tokens[at].start, tokens[closing].end))
    return found
