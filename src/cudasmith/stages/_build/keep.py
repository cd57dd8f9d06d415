"""Modules of torch's own builds in the cache, where `cudasmith.load` finds them as it finds those of the fast builder."""

from __future__ import annotations

import hashlib
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import attrs

from cudasmith.gpu.fast.warnings import warnings
from cudasmith.gpu.toolchain import find_nvcc
from cudasmith.hostapi.compiler import file_identity, find_compiler
from cudasmith.hostapi.library import needed_torch
from cudasmith.hostapi.load import OF_TORCH
from cudasmith.hostapi.user_headers import user_headers
from cudasmith.model import Extension
from cudasmith.store import digest, published

KIND = "modules"
LIBRARY = "module.so"
LOG = "build.log"


@attrs.frozen
class Made:
    """A module that load_inline has made: its name and its file, in a folder with the sources as torch writes them."""

    name: str
    file: str

    def own_log(self, log: str) -> str:
        """The log with this module's files by their bare names."""
        return bare(log, Path(self.file).parent.name)


def bare(log: str, folder: str) -> str:
    """The log in which cuda.cu and main.cpp of a folder of that name stand without it."""
    return re.sub(rf"(?<!\S)\S*/{re.escape(folder)}/(?=(?:cuda\.cu|main\.cpp)\b)", "", log)


def torch_key(extension: Extension, arches: tuple[str, ...]) -> str:
    """Of all that torch's own build depends on."""
    nvcc = find_nvcc() if extension.cuda_sources else None
    return digest(
        "torch",
        repr(extension),
        " ".join(arches),
        file_identity(nvcc.nvcc) if nvcc else "",
        find_compiler().identity,
        needed_torch().version,
        str(needed_torch().root),
        sys.version,
        *user_headers(extension),
    )


def put(made: Made, log: str, scratch: Path) -> None:
    """Fill an entry with a module and what its compilers said."""
    shutil.copyfile(made.file, scratch / LIBRARY)
    (scratch / LOG).write_text(made.own_log(log), encoding="utf-8")
    (scratch / OF_TORCH).write_text(needed_torch().version, encoding="utf-8")


def put_by_content(made: Made, log: str, say: Callable[[str], None]) -> Path:
    """The entry of a module whose call is known only while its file runs: what it is made of is its key."""
    content = hashlib.sha256(Path(made.file).read_bytes()).hexdigest()
    key = digest("torch's module", content, needed_torch().version, made.own_log(log))
    return published(KIND, key, lambda scratch: put(made, log, scratch), say).path


def warned_in(entry: Path) -> tuple[str, ...]:
    """The warnings of the compilers that made an entry."""
    return warnings((entry / LOG).read_text(encoding="utf-8"))
