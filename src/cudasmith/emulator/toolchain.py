"""The host compiler, the precompiled header and the support library."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Literal

import attrs
import torch

from cudasmith.emulator.errors import NoCompilerError
from cudasmith.hostapi.library import ABI, headers_digest, light_includes
from cudasmith.store import digest, published

HERE = Path(__file__).parent
INCLUDE = HERE / "include"
LIGHT = HERE / "runtime" / "light"  # in the place of torch's heaviest headers
RUNTIME_NAME = "_cudasmith_runtime"

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


def precompiled_header() -> Path:
    """The header to include first; its compiled form lies beside it. Built once, in about half a minute."""

    def build(scratch: Path) -> None:
        print(
            "cudasmith: preparing the CUDA emulator (once, about a minute) ...", file=sys.stderr, flush=True
        )
        header = scratch / "prelude.h"
        header.write_text("#include <cudasmith/prelude.h>\n")
        c = compiler()
        extra = ["-fpch-instantiate-templates"] if c.kind == "clang" else []
        suffix = ".pch" if c.kind == "clang" else ".gch"
        _checked(
            [
                *c.flags,
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

    return published("emulator-header", environment_key(), build).path / "prelude.h"


def runtime_library() -> Path:
    """The Python extension module with scheduler, allocator and argument conversion. Built once."""
    sources = sorted((HERE / "runtime").glob("*.cpp"))
    texts = [p.read_text() for p in sorted((HERE / "runtime").rglob("*")) if p.is_file()]
    python = sysconfig.get_paths()["include"]

    def build(scratch: Path) -> None:
        c = compiler()
        arguments = [*c.flags, "-shared", f"-I{python}", *torch_includes(), *map(str, sources)]
        output = ["-o", str(scratch / f"{RUNTIME_NAME}.so"), *torch_libraries(), "-ltorch_python"]
        # The light headers save half a minute; a torch whose own headers need more gets all of them.
        if run_compiler([f"-I{LIGHT}", *arguments, *output]).returncode != 0:
            _checked([*arguments, *output], "runtime library")

    key = digest(environment_key(), sys.version, *texts)
    return published("emulator-runtime", key, build).path / f"{RUNTIME_NAME}.so"
