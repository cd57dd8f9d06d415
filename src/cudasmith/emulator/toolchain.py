"""The host compiler, the precompiled header and the support library."""

from __future__ import annotations

import contextlib
import functools
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

import attrs
import torch

from cudasmith.hostapi.compiler import find_compiler
from cudasmith.hostapi.library import ABI, headers_digest, light_includes, needed_torch
from cudasmith.hostapi.torch_files import python_include
from cudasmith.store import Entry, digest, published, refuse_full_disk, root, slot

HERE = Path(__file__).parent
INCLUDE = HERE / "include"
BINDINGS = HERE / "bindings"  # torch's extension.h, cut short
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
    "-gdwarf-4",  # of version 5, addr2line takes the first file of the line table for another
)
CHECKED_GCC_FLAGS = (
    "--param=tsan-instrument-func-entry-exit=0",
    "--param=tsan-distinguish-volatile=1",
)
# Locals that nobody wrote: a value far from any right one, and the compiler's word where it sees that they are read.
PATTERN_FLAG = "-ftrivial-auto-var-init=pattern"
WARNING_FLAGS = ("-Wuninitialized", "-Wmaybe-uninitialized")
WARNING_CLANG_FLAGS = ("-Wuninitialized", "-Wconditional-uninitialized", "-fno-caret-diagnostics")
GCC_WITH_PATTERN = 12
RUNTIME_FLAGS = (
    "-O2",
    "-fno-omit-frame-pointer",
    "-fno-sanitize=alignment",
)  # the runtime walks its own frames
WRAPPED = ("memcpy", "memmove", "memset", "clock")  # answered by the runtime library
WRAPPED_CALLS = (
    "csm_empty",
    "csm_empty_like",
    "csm_push",
    "csm_device",
    "csm_call",
    "csm_cuda_device",
)  # answered by WRAPS, of the light headers only


def compiler_flags(mode: Mode = "fast") -> tuple[str, ...]:
    """The flags that the precompiled header and every candidate share.

    Raises: CudasmithError without a compiler.
    """
    clang = find_compiler().clang
    own = FLAGS if clang else (*FLAGS, "-fno-gnu-unique")
    if mode == "fast":
        return own
    pattern = (PATTERN_FLAG,) if has_pattern() else ()
    return (*own, *CHECKED_FLAGS, *pattern, *(() if clang else CHECKED_GCC_FLAGS))


def has_pattern() -> bool:
    """Whether the compiler fills locals that are not initialised."""
    compiler = find_compiler()
    major = compiler.version.partition(".")[0]
    return compiler.clang or (major.isdigit() and int(major) >= GCC_WITH_PATTERN)


def candidate_flags(mode: Mode) -> tuple[str, ...]:
    """Those of a candidate itself: in checked mode the compiler tells of locals that are read before they are written."""
    own = compiler_flags(mode)
    if mode == "fast":
        return own
    warnings = WARNING_CLANG_FLAGS if find_compiler().clang else WARNING_FLAGS
    return (*(f for f in own if f != "-w"), *warnings)


_PREPARED = {
    "light": "the CUDA emulator (once, about half a minute)",
    "torch": "torch's own headers, which this source needs, for the CUDA emulator (once, about a minute)",
}


# What torch's builds define for nvcc. A file's own -U undoes one of them.
HALF_MACROS = (
    "-D__CUDA_NO_HALF_OPERATORS__",
    "-D__CUDA_NO_HALF_CONVERSIONS__",
    "-D__CUDA_NO_BFLOAT16_CONVERSIONS__",
    "-D__CUDA_NO_HALF2_OPERATORS__",
)


@attrs.frozen
class Headers:
    """What a candidate finds under torch's names."""

    name: Literal["light", "torch"]
    options: tuple[str, ...]


def light_headers() -> Headers:
    """The light headers: a candidate compiles in a second."""
    return Headers("light", (f"-I{INCLUDE}", *light_includes(), "-DCSM_WITH_STRING", *HALF_MACROS))


def torch_headers() -> Headers:
    """Torch's own, for a candidate that needs more of them."""
    return Headers(
        "torch",
        (f"-I{INCLUDE}", f"-I{BINDINGS}", *torch_includes(), "-DCUDASMITH_TORCH_HEADERS", *HALF_MACROS),
    )


def torch_includes() -> list[str]:
    """-I options for torch's own headers and Python's."""
    return [f"-I{path}" for path in (*needed_torch().includes, python_include())]


def torch_libraries() -> list[str]:
    """Link options for torch without its CUDA parts."""
    lib = needed_torch().lib
    return [f"-L{lib}", f"-Wl,-rpath,{lib}", "-ltorch_python", "-ltorch_cpu", "-lc10"]


@functools.cache
def _headers_digest() -> str:
    files = [p for folder in (INCLUDE, BINDINGS) for p in sorted(folder.rglob("*")) if p.is_file()]
    return digest(headers_digest(), *[f"{p.relative_to(HERE)}\n{p.read_text()}" for p in files])


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


def _on_stderr(what: str) -> None:
    print(f"cudasmith: {what} ...", file=sys.stderr, flush=True)


_announce: Callable[[str], None] = _on_stderr


@contextlib.contextmanager
def announced(say: Callable[[str], None]) -> Iterator[None]:
    """Inside, what takes long is told to `say` when it begins, instead of on stderr."""
    global _announce
    before, _announce = _announce, say
    try:
        yield
    finally:
        _announce = before


def precompiled_header(headers: Headers, mode: Mode = "fast") -> Path:
    """The header to include first; its compiled form lies beside it. Built once for each mode."""

    def build(scratch: Path) -> None:
        _announce(f"preparing {_PREPARED[headers.name]}")
        header = scratch / "prelude.h"
        header.write_text("#include <cudasmith/prelude.h>\n")
        clang = find_compiler().clang
        extra = ["-fpch-instantiate-templates"] if clang else []
        source = ["-x", "c++-header", str(header), "-o", f"{header}{'.pch' if clang else '.gch'}"]
        _checked([*compiler_flags(mode), *extra, *headers.options, *source], "precompiled header")

    key = digest(environment_key(mode), headers.name)
    return _prepared("emulator-header", key, build).path / "prelude.h"


def runtime_library() -> Path:
    """The Python extension module with scheduler, allocator and argument conversion. Built once."""
    sources = sorted((HERE / "runtime").glob("*.cpp"))
    texts = [p.read_text() for p in sorted((HERE / "runtime").rglob("*")) if p.is_file()]

    def build(scratch: Path) -> None:
        flags = [*compiler_flags(), *RUNTIME_FLAGS]
        arguments = [*flags, "-shared", f"-I{ABI}", *torch_includes(), *map(str, sources)]
        output = ["-o", str(scratch / f"{RUNTIME_NAME}.so"), *torch_libraries()]
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
