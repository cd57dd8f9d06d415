"""The host compiler, the precompiled header and the support library."""

from __future__ import annotations

import functools
import os
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import torch

from cudasmith.hostapi.compiler import find_compiler
from cudasmith.hostapi.library import ABI, headers_digest, light_includes
from cudasmith.store import Entry, digest, published, refuse_full_disk, root, slot

HERE = Path(__file__).parent
INCLUDE = HERE / "include"
WRAPS = HERE / "checked" / "wraps.cpp"  # linked into candidates of checked mode
LIGHT = HERE / "runtime" / "light"  # in the place of torch's heaviest headers
RUNTIME_NAME = "_cudasmith_runtime"
COST_BYTES = 512 << 20  # one compiler and its assembler: 0.3 GB measured

# Kernels alias memory through reinterpret_cast; fault handling leaves stacks by siglongjmp, which the
# fortified longjmp forbids; unique symbols would merge equal names of two candidates.
FLAGS = (
    "-std=c++20",
    "-O1",  # a candidate runs for a second and compiles for five: -O2 compiles an eighth longer
    "-g0",
    "-w",
    "-fPIC",
    "-fno-strict-aliasing",
    "-fvisibility=hidden",
    "-ffp-contract=off",
    "-U_FORTIFY_SOURCE",
    "-fsanitize=alignment",  # a GPU refuses wide accesses at addresses that a CPU takes
)

Mode = Literal["fast", "checked"]

# Checked mode: a call before every access and where arithmetic goes wrong, answered by the runtime library; no
# sanitizer is linked. Frame pointers give the callers, -g1 their lines.
CHECKED_FLAGS = (
    "-DCUDASMITH_CHECKED",
    "-fsanitize=thread,signed-integer-overflow,integer-divide-by-zero,bounds",
    "-fno-omit-frame-pointer",
    "-g1",
)
CHECKED_GCC_FLAGS = (
    "--param=tsan-instrument-func-entry-exit=0",
    "--param=tsan-distinguish-volatile=1",
)
RUNTIME_FLAGS = (
    "-O2",
    "-fno-omit-frame-pointer",
    "-fno-sanitize=alignment",
)  # the runtime walks its own frames
WRAPPED = ("memcpy", "memmove", "memset", "csm_empty", "csm_empty_like", "csm_push")


def compiler_flags(mode: Mode = "fast") -> tuple[str, ...]:
    """The flags that the precompiled header and every candidate share.

    Raises: CudasmithError without a compiler.
    """
    clang = find_compiler().clang
    own = FLAGS if clang else (*FLAGS, "-fno-gnu-unique")
    if mode == "fast":
        return own
    return (*own, *CHECKED_FLAGS) if clang else (*own, *CHECKED_FLAGS, *CHECKED_GCC_FLAGS)


def torch_includes() -> list[str]:
    """-I options for the support library, which is torch's own code."""
    root = Path(torch.__file__).parent / "include"
    return [f"-I{ABI}", f"-I{root}", f"-I{root / 'torch/csrc/api/include'}"]


def candidate_includes() -> list[str]:
    """-I options for a candidate: the emulator's CUDA, then the light headers in torch's place."""
    return [f"-I{INCLUDE}", *light_includes(), "-DCSM_WITH_STRING"]


def torch_libraries() -> list[str]:
    """Link options for torch without its CUDA parts."""
    lib = Path(torch.__file__).parent / "lib"
    return [f"-L{lib}", f"-Wl,-rpath,{lib}", "-ltorch_cpu", "-lc10"]


@functools.cache
def _headers_digest() -> str:
    files = sorted(p for p in INCLUDE.rglob("*") if p.is_file())
    return digest(headers_digest(), *[f"{p.relative_to(INCLUDE)}\n{p.read_text()}" for p in files])


def environment_key(mode: Mode = "fast") -> str:
    """Changes with torch, the compiler, the flags and the emulator's headers."""
    c = find_compiler()
    abi = str(torch._C._GLIBCXX_USE_CXX11_ABI)
    flags = " ".join(compiler_flags(mode))
    return digest(torch.__version__, torch.__file__, abi, c.path, c.identity, flags, _headers_digest())


def run_compiler(arguments: list[str]) -> subprocess.CompletedProcess[str]:
    """Runs the compiler with English messages.

    Raises: OSError when it had no room to write.
    """
    env = {**os.environ, "LC_ALL": "C"}
    command = [find_compiler().path, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=env, check=False)
    if done.returncode != 0:
        refuse_full_disk(root(), done.stderr)
    return done


def _checked(arguments: list[str], what: str) -> None:
    done = run_compiler(arguments)
    if done.returncode != 0:
        raise RuntimeError(
            f"the emulator's {what} does not compile with {find_compiler().path}:\n{done.stderr}"
        )


def _prepared(kind: str, key: str, build: Callable[[Path], None]) -> Entry:
    def in_slot(scratch: Path) -> None:
        with slot(COST_BYTES):
            build(scratch)

    return published(kind, key, in_slot)


def precompiled_header(mode: Mode = "fast") -> Path:
    """The header to include first; its compiled form lies beside it. Built once for each mode, in seconds."""

    def build(scratch: Path) -> None:
        print(
            "cudasmith: preparing the CUDA emulator (once, about a minute) ...", file=sys.stderr, flush=True
        )
        header = scratch / "prelude.h"
        header.write_text("#include <cudasmith/prelude.h>\n")
        clang = find_compiler().clang
        extra = ["-fpch-instantiate-templates"] if clang else []
        suffix = ".pch" if clang else ".gch"
        _checked(
            [
                *compiler_flags(mode),
                *extra,
                *candidate_includes(),
                "-x",
                "c++-header",
                str(header),
                "-o",
                f"{header}{suffix}",
            ],
            "precompiled header",
        )

    return _prepared("emulator-header", environment_key(mode), build).path / "prelude.h"


def runtime_library() -> Path:
    """The Python extension module with scheduler, allocator and argument conversion. Built once."""
    sources = sorted((HERE / "runtime").glob("*.cpp"))
    texts = [p.read_text() for p in sorted((HERE / "runtime").rglob("*")) if p.is_file()]
    python = sysconfig.get_paths()["include"]

    def build(scratch: Path) -> None:
        flags = [*compiler_flags(), *RUNTIME_FLAGS]
        arguments = [*flags, "-shared", f"-I{python}", *torch_includes(), *map(str, sources)]
        output = ["-o", str(scratch / f"{RUNTIME_NAME}.so"), *torch_libraries(), "-ltorch_python"]
        # The light headers save half a minute; a torch whose own headers need more gets all of them.
        if run_compiler([f"-I{LIGHT}", *arguments, *output]).returncode != 0:
            _checked([*arguments, *output], "runtime library")

    key = digest(environment_key(), sys.version, *texts)
    return _prepared("emulator-runtime", key, build).path / f"{RUNTIME_NAME}.so"


def wraps_object() -> Path:
    """What checked candidates are linked with. Built once."""

    def build(scratch: Path) -> None:
        flags = [*compiler_flags(), *RUNTIME_FLAGS]
        _checked([*flags, f"-I{ABI}", "-c", str(WRAPS), "-o", str(scratch / "wraps.o")], "wrappers")

    key = digest(environment_key(), WRAPS.read_text())
    return _prepared("emulator-wraps", key, build).path / "wraps.o"
