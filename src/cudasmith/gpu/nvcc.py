"""nvcc: the real compiler's word on a candidate's device code, in about a second, with no GPU.

The candidate's CUDA text is compiled as it stands to a cubin, with stub headers in the place of torch's
(gpu/stub), so that exactly the launched kernels are instantiated. Only the host link is not tried.
"""

from __future__ import annotations

import ast
import re
import tempfile
import time
from pathlib import Path

import attrs

from cudasmith.gpu import ptxas
from cudasmith.gpu.toolchain import Toolchain, find_nvcc
from cudasmith.model import Build, BuildStatus, Candidate
from cudasmith.workers.command import run_command

STUB = Path(__file__).parent / "stub"
DEFINES = (  # what torch.utils.cpp_extension passes
    "-D__CUDA_NO_HALF_OPERATORS__",
    "-D__CUDA_NO_HALF_CONVERSIONS__",
    "-D__CUDA_NO_BFLOAT16_CONVERSIONS__",
    "-D__CUDA_NO_HALF2_OPERATORS__",
    "--expt-relaxed-constexpr",
)
FLAGS = (*DEFINES, "-std=c++17", "-O3")  # the oldest standard that a supported torch asks for
SOURCE = "candidate.cu"
MEMORY_BYTES = 8 << 30  # of one compilation, all its processes together
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
        done = run_command(
            _command(found, arch),
            timeout_s=timeout_s,
            memory_bytes=MEMORY_BYTES,
            cwd=workdir,
            env={"TMPDIR": workdir},
        )
    log = done.output if done.returncode is not None else f"nvcc was {done.ending}"
    status = _status(done.returncode, log)
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


def _status(code: int | None, log: str) -> BuildStatus:
    if code is None:
        return BuildStatus.TIMEOUT
    if code == 0:
        return BuildStatus.OK
    if code < 0:
        return BuildStatus.CRASHED
    return BuildStatus.NO_TOOLCHAIN if _NOT_IN_STUB.search(log) else BuildStatus.COMPILE_ERROR
