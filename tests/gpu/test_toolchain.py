"""The toolkit is found behind a shim, and what ptxas says is read per kernel."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from cudasmith.gpu import ptxas
from cudasmith.gpu.toolchain import find_nvcc


def test_spills_and_shared_memory_are_read_per_kernel():
    log = """\
ptxas info    : Compiling entry function 'one' for 'sm_90'
    16 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads
ptxas info    : Used 255 registers, used 1 barriers, 16 bytes cumulative stack size, 8192 bytes smem
ptxas info    : Compiling entry function 'two' for 'sm_90'
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 10 registers
"""
    one, two = ptxas.resources(log)
    assert (one.registers, one.shared_bytes, one.spill_bytes, one.stack_bytes) == (255, 8192, 20, 16)
    assert (two.registers, two.shared_bytes, two.spill_bytes) == (10, 0, 0)


def test_the_toolkit_behind_a_shell_shim_is_found(tmp_path: Path, monkeypatch):
    root = tmp_path / "toolkit"
    for name, text in (
        ("bin/nvcc", f"#!/bin/sh\nprintf '#$ TOP={root}\\n' >&2\necho 'release 13.0, V13.0.88'\n"),
    ):
        (root / name).parent.mkdir(parents=True)
        (root / name).write_text(text)
        (root / name).chmod(0o755)
    (root / "include").mkdir()
    (root / "include" / "cuda_runtime.h").touch()
    shim = tmp_path / "shims" / "nvcc"
    shim.parent.mkdir()
    shim.write_text(f'#!/bin/sh\nexec {root}/bin/nvcc "$@"\n')
    shim.chmod(shim.stat().st_mode | stat.S_IXUSR)
    monkeypatch.delenv("CUDA_HOME", raising=False)
    monkeypatch.delenv("CUDA_PATH", raising=False)
    monkeypatch.setenv("PATH", f"{shim.parent}{os.pathsep}{os.environ['PATH']}")
    found = find_nvcc()
    assert found is not None
    assert (found.root, found.version) == (str(root), "13.0.88")
