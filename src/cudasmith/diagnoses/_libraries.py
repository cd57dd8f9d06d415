"""Libraries of CUDA: which package of pip and of apt has them, and how they are linked."""

from __future__ import annotations

_PIP = {
    "cublas": "nvidia-cublas",
    "cublasLt": "nvidia-cublas",
    "cusparse": "nvidia-cusparse",
    "cusolver": "nvidia-cusolver",
    "curand": "nvidia-curand",
    "cufft": "nvidia-cufft",
    "nvrtc": "nvidia-cuda-nvrtc",
    "nvtx": "nvidia-nvtx",
    "cudnn": "nvidia-cudnn-cu13",
    "nccl": "nvidia-nccl-cu13",
}
_APT = {
    "cublas": "libcublas-dev-13-0",
    "cublasLt": "libcublas-dev-13-0",
    "cusparse": "libcusparse-dev-13-0",
    "cusolver": "libcusolver-dev-13-0",
    "curand": "libcurand-dev-13-0",
    "cufft": "libcufft-dev-13-0",
    "nvrtc": "cuda-nvrtc-dev-13-0",
    "cudnn": "libcudnn9-dev-cuda-13",
    "nccl": "libnccl-dev",
}
_UNLINKED = ("nvtx",)  # its functions are in its headers


def library_help(library: str, *, header: bool = False) -> str:
    """Flag and packages of a library by its name without lib: for a call that is not linked, or a missing header."""
    flag = "" if library in _UNLINKED else f'extra_ldflags=["-l{library}"]'
    if library not in _PIP:
        return f"link it: {flag}"
    apt = f" (apt: {_APT[library]})" if library in _APT else ""
    package = f"`pip install {_PIP[library]}`{apt}"
    if header:
        place = "extra_include_paths=[.../site-packages/nvidia/.../include] for pip's"
        return f"{package} has it; pass {place}" + (
            f", and link the functions that it declares: {flag}" if flag else ""
        )
    return f"link it: {flag}; if there is no lib{library}.so, {package} has it, for CUDA 13.0"
