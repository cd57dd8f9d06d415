"""The host compiler, the precompiled header and the support library."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Literal

import attrs
import torch

from cudasmith.emulator.errors import NoCompilerError
from cudasmith.hostapi.library import ABI, headers_digest, light_includes, needed_torch
from cudasmith.hostapi.torch_files import python_include
from cudasmith.store import digest, published

HERE = Path(__file__).parent
INCLUDE = HERE / "include"
BINDINGS = HERE / "bindings"  # torch's extension.h, cut short
LIGHT = HERE / "runtime" / "light"  # in the place of torch's heaviest headers
RUNTIME_NAME = "_cudasmith_runtime"

# Kernels alias memory through reinterpret_cast; fault handling leaves stacks by siglongjmp, which the
# fortified longjmp forbids; unique symbols would merge equal names of two candidates.
FLAGS = (
    "-std=c++20",
    "-O1",  # measured: -O0 compiles no faster and runs half as fast; -O2 compiles an eighth longer
    "-g0",
    "-w",
    "-fPIC",
    "-fno-strict-aliasing",
    "-fvisibility=hidden",
    "-ffp-contract=off",
    "-U_FORTIFY_SOURCE",
)


@attrs.frozen
class Compiler:
    """A host C++ compiler."""

    path: str
    kind: Literal["clang", "gcc"]
    version: str

    @property
    def flags(self) -> tuple[str, ...]:
        """The flags that the precompiled header and every candidate share."""
        return (*FLAGS, "-fno-gnu-unique") if self.kind == "gcc" else FLAGS


@functools.cache
def compiler() -> Compiler:
    """clang++ if present (it is faster), else g++. CXX overrides.

    Raises: NoCompilerError.
    """
    for name in (os.environ.get("CXX"), "clang++", "g++"):
        path = shutil.which(name) if name else None
        if path is not None:
            version = subprocess.run([path, "--version"], capture_output=True, text=True, check=True).stdout
            kind: Literal["clang", "gcc"] = "clang" if "clang" in version else "gcc"
            return Compiler(path, kind, version.splitlines()[0])
    raise NoCompilerError(
        "no C++ compiler found; install g++ (Debian: apt install g++) or clang++, "
        "or name one in the environment variable CXX"
    )


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


def environment_key() -> str:
    """Changes with torch, the compiler, the flags and the emulator's headers."""
    c = compiler()
    abi = str(torch._C._GLIBCXX_USE_CXX11_ABI)
    return digest(
        torch.__version__, torch.__file__, abi, c.path, c.version, " ".join(c.flags), _headers_digest()
    )


def run_compiler(arguments: list[str]) -> subprocess.CompletedProcess[str]:
    """Runs the compiler with English messages."""
    env = {**os.environ, "LC_ALL": "C"}
    return subprocess.run([compiler().path, *arguments], capture_output=True, text=True, env=env, check=False)


def _checked(arguments: list[str], what: str) -> None:
    done = run_compiler(arguments)
    if done.returncode != 0:
        raise RuntimeError(
            f"the emulator's {what} does not compile with {compiler().version}:\n{done.stderr}"
        )


def precompiled_header(headers: Headers) -> Path:
    """The header to include first; its compiled form lies beside it. Built once."""

    def build(scratch: Path) -> None:
        print(f"cudasmith: preparing {_PREPARED[headers.name]} ...", file=sys.stderr, flush=True)
        header = scratch / "prelude.h"
        header.write_text("#include <cudasmith/prelude.h>\n")
        c = compiler()
        extra = ["-fpch-instantiate-templates"] if c.kind == "clang" else []
        suffix = ".pch" if c.kind == "clang" else ".gch"
        source = ["-x", "c++-header", str(header), "-o", f"{header}{suffix}"]
        _checked([*c.flags, *extra, *headers.options, *source], "precompiled header")

    key = digest(environment_key(), headers.name)
    return published("emulator-header", key, build).path / "prelude.h"


def runtime_library() -> Path:
    """The Python extension module with scheduler and allocator. Built once."""
    sources = sorted((HERE / "runtime").glob("*.cpp"))
    texts = [p.read_text() for p in sorted((HERE / "runtime").rglob("*")) if p.is_file()]

    def build(scratch: Path) -> None:
        c = compiler()
        arguments = [*c.flags, "-shared", f"-I{ABI}", *torch_includes(), *map(str, sources)]
        output = ["-o", str(scratch / f"{RUNTIME_NAME}.so"), *torch_libraries()]
        # The light headers save half a minute; a torch whose own headers need more gets all of them.
        if run_compiler([f"-I{LIGHT}", *arguments, *output]).returncode != 0:
            _checked([*arguments, *output], "runtime library")

    key = digest(environment_key(), sys.version, *texts)
    return published("emulator-runtime", key, build).path / f"{RUNTIME_NAME}.so"
