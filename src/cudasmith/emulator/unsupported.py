"""Constructs of CUDA that the emulator does not have, named with their line in the place of a compiler's errors."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from cudasmith.cuda.tokens import line_of, tokenize
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
    r"|cudaTypedefs|cuda_texture_types|texture_\w+|surface_\w+|cub|ATen/cuda/(?:CUDABlas|cub\w*)|ATen/cudnn/\w+)\.(?:h|cuh|hpp))[>\"]",
    re.MULTILINE,
)
_INCLUDE = Path(__file__).parent / "include"
# What a compiler says of a name or a header that it does not know.
_UNKNOWN = re.compile(
    r"['‘](?P<name>(?:::)?(?:\w+::)*(?:__\w+|cuda[A-Z]\w*|cu[A-Z]\w*|cublas\w*|CU_\w+|CUDA_\w+|CUDART_\w+|CUBLAS_\w+))['’]"
    r" (?:was not declared|does not name a type|has not been declared|is not a member)"
    r"|^(?:use of undeclared identifier|unknown type name) '(?P<clang>(?:__|cuda[A-Z]|cu[A-Z]|cublas|CU)\w*)'"
    r"|^['‘](?P<member>\w+)['’] is not a member of ['‘](?:nvcuda::wmma|cooperative_groups|nvcuda)['’]"
    r"|^['‘](?P<of_library>\w+)['’] (?:is not a member of|in namespace) ['‘](?P<library>cub|cuda|cuda::std)['’]"
    r"|^no (?:type|template|member) named '(?P<of_clang>\w+)' in namespace '(?P<clang_library>cub|cuda|cuda::std)'"
    r"|^['‘](?:class|struct) (?P<class>(?:cub|cuda(?:::std)?)::\w+).*['’] has no member named ['‘](?P<method>\w+)['’]"
    r"|^no member named '(?P<clang_method>\w+)' in '(?P<clang_class>(?:cub|cuda(?:::std)?)::\w+)"
    r"|^static assertion failed: the emulator does not have (?P<ptx>.*)"
    r"|^(?P<header>[\w./-]+): No such file or directory|^'(?P<file>[\w./-]+)' file not found"
)
_SCOPED = (
    ("library", "of_library"),
    ("clang_library", "of_clang"),
    ("class", "method"),
    ("clang_class", "clang_method"),
)


def lacking(text: str, label: str = "") -> Iterator[EmulatorBuildError]:
    """A refusal for each construct in the text, in code that is compiled or not, that the emulator does not have."""
    for found in _HEADER.finditer(text):
        if not (_INCLUDE / found["header"]).is_file():
            yield _refusal(f"the header <{found['header']}>", text, label, found.start("header"))
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
            yield _refusal(f"{construct} ({token.text})", text, label, token.start)


def missing_in_emulator(message: str) -> str:
    """The construct that a compiler's message shows to be missing, or empty when the message shows nothing of CUDA."""
    found = _UNKNOWN.search(message)
    if found is None:
        return ""
    header = found["header"] or found["file"]
    if header and header.startswith(("torch/", "ATen/", "c10/", "caffe2/", "pybind11/", "Python.h")):
        return ""  # torch's own headers have it
    for scope, name in _SCOPED:
        if found[scope]:
            return f"{found[scope]}::{found[name]}"
    return (
        f"the header <{header}>"
        if header
        else found["name"] or found["clang"] or found["member"] or found["ptx"]
    )


def _refusal(construct: str, text: str, label: str, offset: int) -> EmulatorBuildError:
    return EmulatorBuildError(
        f"the emulator does not have {construct}",
        source=label or None,
        line=line_of(text, offset),
        unsupported=construct,
    )
