"""One candidate's sources to a shared library, cached by content."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import attrs

from cudasmith.emulator.errors import EmulatorBuildError
from cudasmith.emulator.host_calls import host_calls
from cudasmith.emulator.rewrite import rewrite
from cudasmith.emulator.toolchain import (
    WRAPPED,
    WRAPPED_CALLS,
    Headers,
    Mode,
    candidate_flags,
    environment_key,
    light_headers,
    precompiled_header,
    run_compiler,
    torch_headers,
    torch_libraries,
    wraps_object,
)
from cudasmith.emulator.unsupported import lacking, missing_in_emulator
from cudasmith.hostapi.compiler import find_compiler
from cudasmith.hostapi.judge import not_the_users
from cudasmith.store import digest, published, slot

COST_BYTES = 384 << 20  # two compilers with the precompiled header: 0.25 GB measured
_ERROR = re.compile(
    r"^(?P<file>[^:\n]+):(?P<line>\d+):(?:\d+:)? (?:fatal )?error: (?P<text>.*)$", re.MULTILINE
)
_UNINITIALISED = re.compile(
    r"^(?P<source>\w+_sources\[\d+\]):(?P<line>\d+):(?:\d+:)? warning: (?P<text>.*) "
    r"\[-W(?P<kind>uninitialized|maybe-uninitialized|conditional-uninitialized)\]$",
    re.MULTILINE,
)
WARNINGS = "warnings.txt"  # beside the library
_BINDINGS = re.compile(r'#\s*include\s*[<"](torch/extension|torch/python|torch/csrc|pybind11)')
_HALF = re.compile(r"operator.*__(half|nv_bfloat16)|conversion from.*__(half|nv_bfloat16)")
# Headers that are read only where their words stand.
FEATURES = {"::cudasmith::ptx::": "ptx.h", "cublas": "cublas_named.h", "CUDABlasHandle": "cublas_named.h"}


@attrs.frozen
class Unit:
    """One translation unit: labelled pieces of the user's text, for example ("cuda_sources[0]", text)."""

    pieces: tuple[tuple[str, str], ...]

    def text(self) -> str:
        """C++ text whose #line directives name the user's strings."""
        pieces = "".join(f'#line 1 "{label}"\n{rewrite(piece)}\n' for label, piece in self.pieces)
        used = dict.fromkeys(header for word, header in FEATURES.items() if word in pieces)
        return "".join(f"#include <cudasmith/{header}>\n" for header in used) + pieces


@attrs.frozen
class Warned:
    """A local variable that the compiler sees read before it is written. `certain`: on every path."""

    source: str
    line: int
    message: str
    certain: bool


@attrs.frozen
class Built:
    """A Python module, and which headers it was compiled with."""

    library: Path
    headers: Headers
    warned: tuple[Warned, ...] = ()  # of checked mode


def build(
    name: str,
    units: list[Unit],
    flags: list[str],
    support: Path,
    mode: Mode = "fast",
    read: Sequence[str] = (),
) -> Built:
    """The units as a Python module: with the light headers, or with torch's own where those may lack something.

    `read`: of files that the units include, what changes with their content.

    Raises: EmulatorBuildError with the compiler's first error and its line in the user's text.
    """
    built = _by_either(name, units, flags, support, mode, read)
    for refusal in (r for unit in units for label, piece in unit.pieces for r in host_calls(piece, label)):
        raise refusal
    return built


def _by_either(
    name: str, units: list[Unit], flags: list[str], support: Path, mode: Mode, read: Sequence[str]
) -> Built:
    texts = [unit.text() for unit in units]
    own = [f"-DTORCH_EXTENSION_NAME={name}", *flags]
    try:
        return _built(texts, own, light_headers(), [f"-L{support.parent}", f"-l:{support.name}"], mode, read)
    except EmulatorBuildError as error:
        for refusal in (r for unit in units for label, piece in unit.pieces for r in lacking(piece, label)):
            if f"{refusal.source}:{refusal.line}:" in error.log:
                raise refusal from None
        if error.unsupported or not _torch_may_have_it(error.log, "\n".join(texts)):
            raise
    return _built(texts, own, torch_headers(), torch_libraries(), mode, read)


def _torch_may_have_it(log: str, source: str) -> bool:
    """Whether torch's own headers may accept what the light ones do not."""
    first = _ERROR.search(log)
    if first is not None and _HALF.search(first["text"]):
        return False  # CUDA's half types are the emulator's, although the candidates listed are torch's
    return bool(not_the_users(log, source))


def _built(
    texts: list[str], flags: list[str], headers: Headers, link: list[str], mode: Mode, read: Sequence[str]
) -> Built:
    header = precompiled_header(headers, mode)  # before the slot, inside which nothing else may be waited for
    if mode == "checked":
        link = [*link, *_checks(headers)]

    def compile_all(scratch: Path) -> None:
        objects = [scratch / f"unit{i}.o" for i in range(len(texts))]
        with slot(COST_BYTES), ThreadPoolExecutor(2) as pool:
            said = pool.map(
                lambda text, output: _compile(text, output, flags, headers, header, mode), texts, objects
            )
            (scratch / WARNINGS).write_text("\n".join(said))
        _link(objects, scratch / "candidate.so", link)
        for path in objects:
            path.unlink()

    key = digest(environment_key(mode), *candidate_flags(mode), headers.name, *link, *flags, *texts, *read)
    path = published("emulated", key, compile_all).path
    return Built(path / "candidate.so", headers, _warned((path / WARNINGS).read_text()))


def _warned(log: str) -> tuple[Warned, ...]:
    found: dict[tuple[str, int], Warned] = {}
    for one in _UNINITIALISED.finditer(log):
        source, line = one["source"], int(one["line"])
        found.setdefault((source, line), Warned(source, line, one["text"], one["kind"] == "uninitialized"))
    return tuple(found.values())


def _checks(headers: Headers) -> list[str]:
    """Linker options of checked mode."""
    calls = WRAPPED_CALLS if headers.name == "light" else ()
    own = [str(wraps_object())] if calls else []
    return [*own, *(f"-Wl,--wrap={name}" for name in (*WRAPPED, *calls))]


def _compile(text: str, output: Path, flags: list[str], headers: Headers, header: Path, mode: Mode) -> str:
    """What the compiler said of a source that it accepts."""
    source = output.with_suffix(".cpp")
    if headers.name == "torch" and not _BINDINGS.search(text):
        # It is precompiled for all, but torch's build would not find it here.
        text = "#undef PYBIND11_MODULE\n" + text
    source.write_text(text)
    as_precompiled = not any(flag.startswith("-U__CUDA_NO_") for flag in flags)  # else it is parsed again
    clang = find_compiler().clang and as_precompiled
    include = ["-include-pch", f"{header}.pch"] if clang else ["-include", str(header)]
    options = [*candidate_flags(mode), *headers.options, *flags, *include]
    done = run_compiler([*options, "-c", str(source), "-o", str(output)])
    if done.returncode != 0:
        raise _build_error(done)
    return done.stderr


def _build_error(done: subprocess.CompletedProcess[str]) -> EmulatorBuildError:
    first = _ERROR.search(done.stderr)
    if first is None:
        return EmulatorBuildError(
            done.stderr.strip() or "the compiler failed without a message", log=done.stderr
        )
    place: re.Match[str] | None = first
    if "_sources[" not in first["file"]:  # inside a header: the user's line is where it was instantiated
        place = re.search(r"(?P<file>\w+_sources\[\d+\]):(?P<line>\d+):", done.stderr)
    missing = missing_in_emulator(first["text"]) if place is first else ""
    text = f"the emulator does not have {missing}" if missing else first["text"]
    if place is None:
        return EmulatorBuildError(text, log=done.stderr)
    return EmulatorBuildError(
        text, source=place["file"], line=int(place["line"]), log=done.stderr, unsupported=missing
    )


def _link(objects: list[Path], output: Path, link: list[str]) -> None:
    # The runtime's own symbols are found in the loaded runtime library, hence no --no-undefined.
    done = run_compiler(["-shared", "-o", str(output), *map(str, objects), *link])
    if done.returncode != 0:
        found = re.search(r"multiple definition of .*", done.stderr)
        raise EmulatorBuildError(found.group() if found else done.stderr.strip(), log=done.stderr)
