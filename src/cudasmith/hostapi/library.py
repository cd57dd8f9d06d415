"""The support library: torch's side of the light headers, compiled once per torch, Python and compiler."""

from __future__ import annotations

import functools
import hashlib
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from cudasmith.hostapi.compiler import Compiler, find_compiler
from cudasmith.hostapi.torch_files import TorchFiles, python_include, torch_files
from cudasmith.model import CudasmithError
from cudasmith.store import digest, published, refuse_deleted, refuse_full_disk, slot
from cudasmith.workers.command import ended_when_interrupted, run_command

HERE = Path(__file__).parent
ABI = HERE / "abi"
LIGHT = HERE / "light"
SUPPORT = HERE / "support"
FLAGS = ("-fPIC", "-O1", "-g0", "-w")
COMPILE_TIMEOUT_S = 600.0
COMPILE_MEMORY_BYTES = 4 << 30
COMPILE_BYTES = 1280 << 20  # two compilers at once: 1.15 GB measured
Say = Callable[[str], None]


def light_includes() -> list[str]:
    """-I options under which a candidate finds the light headers."""
    return [f"-I{LIGHT}", f"-I{ABI}"]


@functools.cache
def headers_digest() -> str:
    """Changes with any light header."""
    found = hashlib.sha256()
    for file in sorted([*ABI.rglob("*.h"), *LIGHT.rglob("*.h")]):
        found.update(str(file.relative_to(HERE)).encode() + b"\0" + file.read_bytes())
    return found.hexdigest()[:20]


def support_library(cuda_include: str | None, say: Say = lambda text: None) -> Path:
    """The shared library behind the light headers; `cuda_include` holds cuda_runtime_api.h, None for no CUDA part.

    Takes up to a minute when it is not in the cache; `say` is told before.
    Raises: CudasmithError without torch or without a C++ compiler, or when torch's headers do not compile.
    """
    torch, compiler = needed_torch(), find_compiler()
    with_cuda = bool(torch.cuda) and cuda_include is not None
    key = support_key(torch, compiler, with_cuda)
    name = f"libcudasmith_host_{key}.so"

    def build(scratch: Path) -> None:
        with slot(COMPILE_BYTES, say):
            say(
                f"preparing the library behind the light headers for torch {torch.version} (once, about half a minute)"
            )
            _compile(torch, compiler, cuda_include if with_cuda else None, scratch, name)

    return published("support", key, build, say).path / name


def support_key(torch: TorchFiles, compiler: Compiler, with_cuda: bool) -> str:
    """The cache key of the support library."""
    sources = [f.read_text(encoding="utf-8") for f in sorted(SUPPORT.glob("*.cpp"))]
    return digest(
        torch.version,
        str(torch.root),
        sys.version,
        compiler.identity,
        str(with_cuda),
        headers_digest(),
        *sources,
    )


def needed_torch() -> TorchFiles:
    """The installed torch.

    Raises: CudasmithError when there is none.
    """
    found = torch_files()
    if found is None:
        raise CudasmithError(
            "CSB001", "torch is not installed in this environment", help="pip install torch", exit_code=4
        )
    return found


def _compile(
    torch: TorchFiles, compiler: Compiler, cuda_include: str | None, scratch: Path, name: str
) -> None:
    includes = [f"-I{ABI}", *(f"-isystem{p}" for p in torch.includes), f"-isystem{python_include()}"]
    if cuda_include:
        includes += [f"-isystem{cuda_include}", "-DCUDASMITH_TORCH_WITH_CUDA"]
    sources = sorted(SUPPORT.glob("*.cpp"))
    objects = [scratch / f"{s.stem}.o" for s in sources]
    commands = [
        [compiler.path, f"-std=c++{torch.standard}", *FLAGS, *includes, "-c", str(s), "-o", str(o)]
        for s, o in zip(sources, objects, strict=True)
    ]
    with ThreadPoolExecutor(2) as pool, ended_when_interrupted():
        list(pool.map(lambda command: _checked(command, scratch), commands))
    libraries = ["-ltorch_python", "-ltorch_cpu", "-lc10", *(["-lc10_cuda"] if cuda_include else [])]
    _checked(
        [compiler.path, "-shared", "-o", str(scratch / name), *map(str, objects), f"-Wl,-soname,{name}"]
        + [f"-L{torch.lib}", f"-Wl,-rpath,{torch.lib}", *libraries],
        scratch,
    )
    for file in objects:
        file.unlink()


def _checked(command: list[str], scratch: Path) -> None:
    limits = {"timeout_s": COMPILE_TIMEOUT_S, "memory_bytes": COMPILE_MEMORY_BYTES}
    done = run_command(command, env={"TMPDIR": str(scratch)}, **limits)  # type: ignore[arg-type]
    if done.returncode != 0:
        refuse_deleted(scratch, done.output)
        refuse_full_disk(scratch, done.output)
        first = next((line for line in done.output.splitlines() if "error" in line), done.ending)
        raise CudasmithError(
            "CSB002",
            f"the library behind the light headers does not compile: {first}",
            help="--builder torch works without it; report this with the output of `cudasmith doctor`",
            exit_code=4,
        )
