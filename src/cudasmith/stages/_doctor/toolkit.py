"""Checks of the CUDA toolkit: nvcc, its version, its headers, its runtime library."""

from __future__ import annotations

import os
import shlex
import shutil
from pathlib import Path

from cudasmith.gpu import cudart
from cudasmith.gpu.toolchain import DEFAULT_ROOT, Toolchain, said, wheel_headers
from cudasmith.model import Condition, Status
from cudasmith.stages._doctor.machine import Machine, major_minor, numbers, pip

WHEELS = ("nvidia-cuda-nvcc", "nvidia-nvvm", "nvidia-cuda-crt", "nvidia-cuda-cccl", "nvidia-cuda-runtime")
FIRST_WHEELS = (13, 0)  # before, the wheels of nvcc hold no nvcc
HEADERS = ("cublas_v2.h", "cublasLt.h", "cusparse.h", "cusolverDn.h")  # of ATen/cuda/CUDAContext.h


def wheels_for(cuda: str) -> tuple[str, ...]:
    """The requirements that bring nvcc for that CUDA: "nvidia-cuda-nvcc==13.0.*" and its companions."""
    return tuple(f"{name}=={cuda}.*" for name in WHEELS)


def nvcc(machine: Machine) -> Condition:
    found = machine.toolchain
    if found is not None:
        return Condition("nvcc", "ok", f"{found.version} in {found.root}")
    why = "kernels run on the emulator only"
    if machine.needs_gpu_builds:
        return Condition("nvcc", "fail", "none", "nothing can be built for the GPU", _get(machine))
    return Condition("nvcc", "warn", "none", why, _get(machine))


def versions(machine: Machine) -> Condition | None:
    """load_inline never compares them."""
    found, torch = machine.toolchain, machine.torch
    if found is None or torch is None or not torch.cuda:
        return None
    has = major_minor(found.version)
    if has == torch.cuda:
        return Condition("CUDA versions", "ok", f"nvcc and torch: {has}")
    text = f"nvcc {has}, torch {torch.cuda}"
    if numbers(has)[0] == numbers(torch.cuda)[0]:
        if numbers(has) > numbers(torch.cuda):
            return Condition(
                "CUDA versions", "warn", text, "a driver for torch may refuse nvcc's PTX", _get(machine)
            )
        return Condition("CUDA versions", "ok", f"{text}: compatible")
    status: Status = "fail" if machine.needs_gpu_builds else "warn"
    return Condition("CUDA versions", status, text, "two CUDA runtimes in one process", _get(machine))


def cuda_home(machine: Machine) -> Condition | None:
    """torch's own search ends at a shim's folder, or at a variable that names nothing."""
    found = machine.toolchain
    variable = next((v for v in ("CUDA_HOME", "CUDA_PATH") if os.environ.get(v)), "")
    if variable and not (Path(os.environ[variable]) / "bin" / "nvcc").is_file():
        return _names_nothing(variable, found)
    if found is None or not machine.builds_for_gpu:
        return None
    taken = _as_torch()
    if taken is not None and taken.resolve() == Path(found.root).resolve():
        return Condition("CUDA_HOME", "ok", f"{'set' if variable else 'not needed'}: torch takes {taken}")
    if taken is None:
        text, why = "not set", "torch's load_inline finds no toolkit"
    elif variable:
        text, why = (
            f"{variable}={taken}, whose toolkit is not whole",
            "torch's load_inline looks nowhere else",
        )
    else:
        nvcc = taken / "bin" / "nvcc"
        what = "whose nvcc is a shim: the link fails" if nvcc.exists() else "which holds no toolkit"
        text, why = "not set", f"torch takes {taken}, {what}"
    why += "; cudasmith sets it for its own builds"
    return Condition("CUDA_HOME", "warn", text, why, f"export CUDA_HOME={shlex.quote(found.root)}")


def _names_nothing(variable: str, found: Toolchain | None) -> Condition:
    text, why = (
        f"{variable}={os.environ[variable]}, which holds no toolkit",
        "torch's load_inline looks nowhere else",
    )
    if found is None:
        return Condition("CUDA_HOME", "warn", text, why, f"unset {variable}")
    why += f"; cudasmith takes {found.root}"
    return Condition("CUDA_HOME", "warn", text, why, f"export {variable}={shlex.quote(found.root)}")


def headers(machine: Machine) -> Condition | None:
    found = machine.toolchain
    if found is None or not machine.builds_for_gpu:
        return None
    include = Path(found.root) / "include"
    missing = [name for name in HEADERS if not (include / name).exists()]
    if not missing:
        return Condition("CUDA headers", "ok", "cublas, cusparse and cusolver are in the toolkit")
    text = f"{', '.join(missing)} not in {include}"
    extra = os.environ.get("CUDA_INC_PATH")
    if extra and all((Path(extra) / name).exists() for name in missing):
        return Condition("CUDA headers", "ok", f"in CUDA_INC_PATH={extra}")
    why = "#include <ATen/cuda/CUDAContext.h> needs them"
    wheels = wheel_headers()
    if wheels:
        why += "; torch's wheels have them, and cudasmith's builds use those"
        return Condition("CUDA headers", "warn", text, why, f"export CUDA_INC_PATH={shlex.quote(wheels)}")
    version = major_minor(found.version)
    if numbers(version) >= FIRST_WHEELS:
        remedy = pip(f"cuda-toolkit[cublas,cusparse,cusolver]=={version}.*")
        return Condition("CUDA headers", "warn", text, why, remedy)
    remedy = f"install the whole CUDA toolkit {version}"
    return Condition("CUDA headers", "warn", text, why, remedy)


def runtime_library(machine: Machine) -> Condition | None:
    """The linker asks for libcudart.so; wheels have libcudart.so.13 only."""
    found = machine.toolchain
    if found is None:
        return None
    label = "libcudart.so"
    if found.links:
        return Condition(label, "ok", str(next(d for d in found.lib_dirs if (d / label).exists()) / label))
    library = cudart.versioned(found)
    if library is None:
        remedy = pip(f"nvidia-cuda-runtime=={major_minor(found.version)}.*")
        status: Status = "fail" if machine.needs_gpu_builds else "warn"
        return Condition(label, status, f"not under {found.root}", "nothing links without it", remedy)
    folder = cudart.link_dir(found)
    export = f"export LIBRARY_PATH={shlex.quote(str(folder))}"
    if not cudart.linked(found):
        why = "the linker asks for the name without a number"
        return Condition(
            label, "warn", f"{library.name} only", why, "cudasmith doctor --fix\n" + export, fixable=True
        )
    listed = os.environ.get("LIBRARY_PATH", "").split(os.pathsep)
    if str(folder) in listed or not machine.builds_for_gpu:
        return Condition(label, "ok", str(folder / label))
    why = "cudasmith's own builds use it; for yours:"
    return Condition(label, "ok", str(folder / label), why, export)


def architecture(machine: Machine) -> Condition | None:
    """With no GPU torch cannot guess; and nvcc 13 has dropped what older files name."""
    found, device = machine.toolchain, machine.device
    if found is None:
        return None
    label, chosen = "architecture", os.environ.get("TORCH_CUDA_ARCH_LIST", "")
    known = _architectures(found)
    if device.usable and known and device.major * 10 + device.minor not in known:
        text = f"{device.arch}, which nvcc {found.version} cannot compile for"
        return Condition(label, "fail", text, f"it knows sm_{min(known)} to sm_{max(known)}", _get(machine))
    if chosen:
        return _chosen(machine, chosen, known)
    if device.usable:
        return Condition(label, "ok", f"{device.arch_list}, from the GPU")
    if not machine.builds_for_gpu:
        return None
    why = "with no GPU, torch's load_inline ends with an IndexError"
    return Condition(label, "warn", "TORCH_CUDA_ARCH_LIST is not set", why, "export TORCH_CUDA_ARCH_LIST=9.0")


def _chosen(machine: Machine, chosen: str, known: set[int]) -> Condition:
    label, text = "architecture", f"TORCH_CUDA_ARCH_LIST={chosen}"
    named = [part.removesuffix("+PTX").rstrip("af") for part in chosen.replace(";", " ").split()]
    codes = [int(part.replace(".", "")) for part in named if part.replace(".", "").isdigit()]
    assert machine.toolchain is not None
    refused = [str(code) for code in codes if known and code not in known]
    device = machine.device
    wanted = (
        device.arch_list if device.usable else f"{max(known) // 10}.{max(known) % 10}" if known else "9.0"
    )
    remedy = f"export TORCH_CUDA_ARCH_LIST={wanted}"
    if refused:
        why = f"nvcc {machine.toolchain.version} does not know sm_{', sm_'.join(refused)}"
        return Condition(label, "warn", text, why, remedy)
    if device.usable and codes and not _covers(codes, device.major, device.minor, "+PTX" in chosen):
        return Condition(label, "warn", text, f"no kernel image for this GPU, {device.arch}", remedy)
    return Condition(label, "ok", text)


def _covers(codes: list[int], major: int, minor: int, ptx: bool) -> bool:
    """Binary code runs on the same major version from its minor on; PTX on everything newer."""
    own = major * 10 + minor
    return any(code <= own and (ptx or code // 10 == major) for code in codes)


def _architectures(found: Toolchain) -> set[int]:
    words = said([found.nvcc, "--list-gpu-arch"]).split()
    return {int(w.removeprefix("compute_")) for w in words if w.removeprefix("compute_").isdigit()}


def _as_torch() -> Path | None:
    """The toolkit that torch's load_inline would take: the rule of torch.utils.cpp_extension."""
    named = os.environ.get("CUDA_HOME") or os.environ.get("CUDA_PATH")
    if named:
        return Path(named)
    on_path = shutil.which("nvcc")
    if on_path:
        return Path(on_path).parent.parent
    return DEFAULT_ROOT if DEFAULT_ROOT.exists() else None


def _get(machine: Machine) -> str:
    """How to get the nvcc that fits torch."""
    cuda = machine.torch.cuda if machine.torch else ""
    if not cuda:
        return "install the CUDA toolkit, or set CUDA_HOME to one"
    if numbers(cuda) >= FIRST_WHEELS:
        return pip(*wheels_for(cuda))
    return f"install the CUDA toolkit {cuda}, and set CUDA_HOME to it"
