"""ptxas: what `-Xptxas -v` says about each kernel, as values."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterable, Sequence

from cudasmith.model import KernelResources

_ENTRY = re.compile(r"Compiling entry function '(?P<name>[^']+)' for '(?P<arch>[^']+)'")
_FRAME = re.compile(
    r"(?P<stack>\d+) bytes stack frame, (?P<stores>\d+) bytes spill stores, (?P<loads>\d+) bytes spill loads"
)
_USED = re.compile(r"Used (?P<registers>\d+) registers(?:.*?(?P<shared>\d+)(?:\+\d+)? bytes smem)?")
FILT_TIMEOUT_S = 20


def resources(log: str) -> tuple[KernelResources, ...]:
    """One entry per kernel and architecture, in the order of the log. Spills are stores plus loads."""
    found: list[KernelResources] = []
    name = arch = ""
    stack = spill = 0
    for line in log.splitlines():
        if entry := _ENTRY.search(line):
            name, arch, stack, spill = entry["name"], entry["arch"], 0, 0
        elif frame := _FRAME.search(line):
            stack, spill = int(frame["stack"]), int(frame["stores"]) + int(frame["loads"])
        elif (used := _USED.search(line)) and name:
            shared = int(used["shared"] or 0)
            found.append(KernelResources(name, arch, int(used["registers"]), shared, spill, stack))
            name = ""
    plain = _demangled([k.kernel for k in found])
    return tuple(
        KernelResources(p, k.arch, k.registers, k.shared_bytes, k.spill_bytes, k.stack_bytes)
        for p, k in zip(plain, found, strict=True)
    )


def of_texts(kernels: Iterable[KernelResources], texts: Sequence[str]) -> tuple[KernelResources, ...]:
    """Without the kernels of libraries: those in a namespace that no text opens, under a name that stands in no text."""
    whole = "\n".join(texts)
    words = frozenset(re.findall(r"\w+", whole))
    opened = frozenset(n for names in re.findall(r"\bnamespace\s+([\w:]+)", whole) for n in names.split("::"))
    return tuple(k for k in kernels if _is_of(k.kernel, words, opened))


def _is_of(kernel: str, words: frozenset[str], opened: frozenset[str]) -> bool:
    *outer, name = _plain_name(kernel).split("::")
    return not outer or outer[0] in opened or outer[0].startswith("(") or name in words


def _plain_name(kernel: str) -> str:
    """`a::k<b::c>` as `a::k`; "(anonymous namespace)" stays."""
    found, depth = "", 0
    for char in kernel:
        depth += char == "<"
        found += "" if depth else char
        depth -= char == ">"
    return found


def _demangled(names: list[str]) -> list[str]:
    """Names as C++ writes them, without return type and arguments; as they are where no tool is found."""
    tool = shutil.which("c++filt") or shutil.which("cu++filt")
    if not tool or not names:
        return names
    try:
        done = subprocess.run(
            [tool, "-p"],
            input="\n".join(names),
            capture_output=True,
            text=True,
            timeout=FILT_TIMEOUT_S,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return names
    lines = done.stdout.splitlines()
    return [line.removeprefix("void ") for line in lines] if len(lines) == len(names) else names
