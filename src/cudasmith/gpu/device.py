"""Device: is there a CUDA GPU, and which. Asked in a child process, so that this one stays free of CUDA."""

from __future__ import annotations

import json
import subprocess
import sys

import attrs

QUERY_TIMEOUT_S = 30
_CHILD = """
import ctypes, json
cuda = ctypes.CDLL("libcuda.so.1")
def ask(name, *args):
    code = getattr(cuda, name)(*args)
    if code:
        raise SystemExit(f"{name} answered {code}")
device, count, major, minor, driver = (ctypes.c_int() for _ in range(5))
ask("cuInit", 0)
ask("cuDriverGetVersion", ctypes.byref(driver))
ask("cuDeviceGetCount", ctypes.byref(count))
if not count.value:
    raise SystemExit("the driver lists no device")
ask("cuDeviceGet", ctypes.byref(device), 0)
name = ctypes.create_string_buffer(256)
ask("cuDeviceGetName", name, 256, device)
ask("cuDeviceGetAttribute", ctypes.byref(major), 75, device)
ask("cuDeviceGetAttribute", ctypes.byref(minor), 76, device)
cuda = f"{driver.value // 1000}.{driver.value % 1000 // 10}"
print(json.dumps({"name": name.value.decode(), "major": major.value, "minor": minor.value, "cuda": cuda}))
"""


@attrs.frozen
class Device:
    """The first GPU the driver lists. `reason` says why there is none; then `name` is empty.

    `cuda` is the newest CUDA that the driver knows: "13.0".
    """

    name: str = ""
    major: int = 0
    minor: int = 0
    reason: str = ""
    cuda: str = ""

    @property
    def usable(self) -> bool:
        return bool(self.name)

    @property
    def arch(self) -> str:
        """For nvcc: "sm_90"."""
        return f"sm_{self.major}{self.minor}"

    @property
    def arch_list(self) -> str:
        """For TORCH_CUDA_ARCH_LIST: "9.0"."""
        return f"{self.major}.{self.minor}"


def query() -> Device:
    """The GPU, asked of the driver itself, or why there is none. Never raises."""
    try:
        done = subprocess.run(
            [sys.executable, "-c", _CHILD],
            capture_output=True,
            text=True,
            timeout=QUERY_TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return Device(reason=str(error))
    if done.returncode:
        return Device(reason=(done.stderr.strip().splitlines() or ["unknown"])[-1])
    return Device(**json.loads(done.stdout))


def usable_device() -> Device | None:
    """The GPU, or None."""
    device = query()
    return device if device.usable else None
