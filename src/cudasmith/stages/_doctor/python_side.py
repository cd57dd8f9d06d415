"""Checks of torch and the GPU."""

from __future__ import annotations

import sysconfig
from pathlib import Path

from cudasmith.model import Condition
from cudasmith.stages._doctor.machine import Machine, numbers, pip

DRIVER_FILE = Path("/proc/driver/nvidia/version")


def torch(machine: Machine) -> Condition:
    found = machine.torch
    if found is None:
        return Condition("torch", "fail", "not installed", "models are read with it", pip("torch"))
    if found.cuda:
        return Condition("torch", "ok", f"{found.version}, built for CUDA {found.cuda}")
    if machine.device.usable:
        why = "there is a GPU, but this torch cannot use it"
        remedy = pip("--force-reinstall", "torch")
        return Condition("torch", "fail", f"{found.version}, built without CUDA", why, remedy)
    return Condition("torch", "ok", f"{found.version}, built without CUDA")


def gpu(machine: Machine) -> Condition:
    device = machine.device
    if device.usable:
        return Condition("GPU", "ok", f"{device.name}, {device.arch}")
    why = "verdicts come from the CPU emulator, without timing"
    driver = _driver_version()
    if driver:
        reason = device.reason or "unknown"
        return Condition(
            "GPU", "warn", f"none usable, though driver {driver} is loaded: {reason}", why, "nvidia-smi"
        )
    return Condition("GPU", "warn", "none: no NVIDIA driver is loaded", why)


def driver(machine: Machine) -> Condition | None:
    """Is the driver new enough for the CUDA that torch brings? Minor versions are compatible."""
    if not machine.device.usable or not machine.device.cuda:
        return None
    knows, version = machine.device.cuda, _driver_version()
    found = ", ".join(filter(None, [version, f"knows CUDA {knows}"]))
    wants = machine.torch.cuda if machine.torch else ""
    if wants and numbers(wants)[:1] > numbers(knows)[:1]:
        why = f"torch is built for CUDA {wants}, which needs a newer driver"
        remedy = f"update the NVIDIA driver, or install a torch for CUDA {numbers(knows)[0]}"
        return Condition("driver", "fail", found, why, remedy)
    return Condition("driver", "ok", found)


def python_header(machine: Machine) -> Condition:
    """Extension modules, those of the emulator too, include Python.h."""
    header = Path(sysconfig.get_paths()["include"]) / "Python.h"
    if header.is_file():
        return Condition("Python.h", "ok", str(header.parent))
    why = "every extension module includes it"
    return Condition("Python.h", "fail", f"not in {header.parent}", why, "sudo apt install python3-dev")


def _driver_version() -> str:
    """Of the kernel module: "580.82.07"; or ""."""
    try:
        first = DRIVER_FILE.read_text().splitlines()[0]
    except (OSError, IndexError):
        return ""
    return next((word for word in first.split() if word[0].isdigit() and "." in word), "")
