"""One candidate's sources to a shared library, cached by content."""

from __future__ import annotations

import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import attrs

from cudasmith.emulator.errors import EmulatorBuildError
from cudasmith.emulator.rewrite import rewrite
from cudasmith.emulator.toolchain import (
    WRAPPED,
    Mode,
    candidate_includes,
    compiler_flags,
    environment_key,
    precompiled_header,
    run_compiler,
    wraps_object,
)
from cudasmith.hostapi.compiler import find_compiler
from cudasmith.hostapi.judge import not_the_users
from cudasmith.store import digest, published, slot

COST_BYTES = 384 << 20  # two compilers with the precompiled header: 0.25 GB measured
_ERROR = re.compile(
    r"^(?P<file>[^:\n]+):(?P<line>\d+):(?:\d+:)? (?:fatal )?error: (?P<text>.*)$", re.MULTILINE
)


@attrs.frozen
class Unit:
    """One translation unit: labelled pieces of the user's text, for example ("cuda_sources[0]", text)."""

    pieces: tuple[tuple[str, str], ...]

    def text(self) -> str:
        """C++ text whose #line directives name the user's strings."""
        return "".join(f'#line 1 "{label}"\n{rewrite(piece)}\n' for label, piece in self.pieces)


def build(name: str, units: list[Unit], flags: list[str], support: Path, mode: Mode = "fast") -> Path:
    """The Python module of the units, linked to the library behind the light headers.

    Raises: EmulatorBuildError with the compiler's first error and its line in the user's text.
    """
    texts = [unit.text() for unit in units]
    own = [f"-DTORCH_EXTENSION_NAME={name}", *flags]

    checks = [str(wraps_object()), *(f"-Wl,--wrap={name}" for name in WRAPPED)] if mode == "checked" else []
    header = precompiled_header(mode)  # before the slot, inside which nothing else may be waited for

    def compile_all(scratch: Path) -> None:
        objects = [scratch / f"unit{i}.o" for i in range(len(texts))]
        with slot(COST_BYTES), ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda text, output: _compile(text, output, own, header, mode), texts, objects))
        _link(objects, scratch / "candidate.so", checks, support)
        for path in objects:
            path.unlink()

    key = digest(environment_key(mode), support.name, *own, *texts)
    return published("emulated", key, compile_all).path / "candidate.so"


def _compile(text: str, output: Path, flags: list[str], header: Path, mode: Mode) -> None:
    source = output.with_suffix(".cpp")
    source.write_text(text)
    include = ["-include-pch", f"{header}.pch"] if find_compiler().clang else ["-include", str(header)]
    if "-U__CUDA_NO_HALF_OPERATORS__" in flags:
        include += ["-include", "cudasmith/half_operators.h"]
    own = [*compiler_flags(mode), *flags]
    done = run_compiler([*own, *include, *candidate_includes(), "-c", str(source), "-o", str(output)])
    if done.returncode != 0:
        raise _build_error(done, text)


def _build_error(done: subprocess.CompletedProcess[str], text: str) -> EmulatorBuildError:
    first = _ERROR.search(done.stderr)
    if first is None:
        return EmulatorBuildError(
            done.stderr.strip() or "the compiler failed without a message", log=done.stderr
        )
    unsure = not_the_users(done.stderr, text)
    place: re.Match[str] | None = first
    if "_sources[" not in first["file"]:  # inside a header: the user's line is where it was instantiated
        place = re.search(r"(?P<file>\w+_sources\[\d+\]):(?P<line>\d+):", done.stderr)
    if place is None:
        return EmulatorBuildError(first["text"], log=done.stderr, unsupported=unsure)
    return EmulatorBuildError(
        first["text"], source=place["file"], line=int(place["line"]), log=done.stderr, unsupported=unsure
    )


def _link(objects: list[Path], output: Path, checks: list[str], support: Path) -> None:
    # The runtime's own symbols are found in the loaded support library, hence no --no-undefined.
    libraries = [f"-L{support.parent}", f"-l:{support.name}"]
    done = run_compiler(["-shared", "-o", str(output), *map(str, objects), *checks, *libraries])
    if done.returncode != 0:
        found = re.search(r"multiple definition of .*", done.stderr)
        raise EmulatorBuildError(found.group() if found else done.stderr.strip(), log=done.stderr)
