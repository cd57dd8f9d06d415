"""nvcc: the real compiler's word on a candidate's device code, in about a second, with no GPU.

The candidate's CUDA text is compiled as it stands to a cubin, with stub headers in the place of torch's
(gpu/stub), so that exactly the launched kernels are instantiated. Only the host link is not tried.
"""

from __future__ import annotations

import ast
import contextlib
import os
import re
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import attrs

from cudasmith.gpu import ptxas
from cudasmith.gpu.toolchain import Toolchain, find_nvcc
from cudasmith.model import Build, BuildStatus, Candidate

STUB = Path(__file__).parent / "stub"
FLAGS = (  # what torch.utils.cpp_extension passes
    "-D__CUDA_NO_HALF_OPERATORS__",
    "-D__CUDA_NO_HALF_CONVERSIONS__",
    "-D__CUDA_NO_BFLOAT16_CONVERSIONS__",
    "-D__CUDA_NO_HALF2_OPERATORS__",
    "--expt-relaxed-constexpr",
    "-std=c++17",  # the oldest that a supported torch asks for
    "-O3",
)
SOURCE = "candidate.cu"
_PLACE = re.compile(rf"(?:\S*/)?{re.escape(SOURCE)}([(:])(\d+)")
_NOT_IN_STUB = re.compile(
    r'(namespace|class) "(torch|at|c10|pybind11|stub_pybind|py)\b[^"]*" has no member'
    r"|fatal error: (torch|ATen|c10|pybind11)/\S+: No such file"
)


@attrs.frozen
class CudaText:
    """The CUDA source inside a candidate, and the line of the file where it starts."""

    text: str
    first_line: int


def cuda_text(candidate: Candidate) -> CudaText | None:
    """The longest string constant with a `__global__` function, or None."""
    found = [
        node
        for node in ast.walk(ast.parse(candidate.text))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "__global__" in node.value
    ]
    if not found:
        return None
    best = max(found, key=lambda node: len(str(node.value)))
    return CudaText(str(best.value), best.lineno)


def compile_device(candidate: Candidate, *, arch: str = "sm_90", timeout_s: float = 120) -> Build:
    """OK with registers, shared memory and spills per kernel, or COMPILE_ERROR with the file's own lines.

    NO_TOOLCHAIN when there is no nvcc, or when the host part uses what the stub headers do not declare:
    then nothing is known.
    """
    found = find_nvcc()
    if found is None:
        return Build(candidate.sha256, "nvcc", BuildStatus.NO_TOOLCHAIN, 0.0, "no nvcc was found")
    source = cuda_text(candidate)
    tool = f"nvcc {found.version}"
    if source is None:
        return Build(candidate.sha256, "nvcc", BuildStatus.OK, 0.0, "the file holds no CUDA text", tool=tool)
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="cudasmith-nvcc-") as workdir:
        (Path(workdir) / SOURCE).write_text(source.text, encoding="utf-8")
        code, log = _run(_command(found, arch), workdir, timeout_s)
    status = _status(code, log)
    kernels = ptxas.resources(log) if status is BuildStatus.OK else ()
    return Build(
        candidate.sha256,
        "nvcc",
        status,
        time.monotonic() - start,
        in_candidate_lines(log, candidate, source),
        kernels,
        tool=tool,
    )


def in_candidate_lines(log: str, candidate: Candidate, source: CudaText) -> str:
    """The log with each place in the CUDA text given as a place in the candidate's file."""

    def replace(match: re.Match[str]) -> str:
        line = int(match.group(2)) + source.first_line - 1
        return f"{candidate.path}{match.group(1)}{line}"

    return _PLACE.sub(replace, log)


def _command(found: Toolchain, arch: str) -> list[str]:
    return [
        found.nvcc,
        *FLAGS,
        f"-arch={arch}",
        "-cubin",
        "-Xptxas",
        "-v",
        "-I",
        str(STUB),
        SOURCE,
        "-o",
        "out.cubin",
    ]


def _run(command: list[str], workdir: str, timeout_s: float) -> tuple[int | None, str]:
    """Exit code (None after the time limit) and what was printed. The whole process group is ended."""
    process = subprocess.Popen(
        command,
        cwd=workdir,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        start_new_session=True,
        env={**os.environ, "TMPDIR": workdir},
    )
    try:
        out, _ = process.communicate(timeout=timeout_s)
    except subprocess.TimeoutExpired:
        _end(process)
        return None, f"nvcc was not done after {timeout_s:g} s"
    except BaseException:
        _end(process)
        raise
    return process.returncode, out.decode(errors="replace")


def _end(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


def _status(code: int | None, log: str) -> BuildStatus:
    if code is None:
        return BuildStatus.TIMEOUT
    if code == 0:
        return BuildStatus.OK
    if code < 0:
        return BuildStatus.CRASHED
    return BuildStatus.NO_TOOLCHAIN if _NOT_IN_STUB.search(log) else BuildStatus.COMPILE_ERROR
