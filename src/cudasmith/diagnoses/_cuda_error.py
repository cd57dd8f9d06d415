"""What diagnoses of CUDA's run-time errors share: how an error is written in logs, and where it belongs."""

from __future__ import annotations

import functools
import re
from typing import ClassVar

import attrs

from cudasmith.diagnoses._access import Blame
from cudasmith.diagnoses._diagnosis import Diagnosis, Hit
from cudasmith.diagnoses._frames import user_frame
from cudasmith.diagnoses._launches import OnlyLaunch, reached_hosts, reached_launch
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._suspects import call_span, named_call
from cudasmith.model import Candidate
from cudasmith.model.finding import Span

OWN_CHECK = "DG512"  # of a TORCH_CHECK, whose text may be that of a CUDA error
ABORTED = "DG702"  # of a C++ exception that nobody caught: torch's destructors end so after a CUDA error

# Errors of a kernel that was running: CUDA tells them at some later call, and at every call after that.
LATE = (
    "an illegal memory access was encountered",
    "misaligned address",
    "an illegal instruction was encountered",
    "operation not supported on global/shared address space",
    "invalid program counter",
    "unspecified launch failure",
    "device-side assert triggered",
    "the launch timed out and was terminated",
    "hardware stack error",
)

# What stands in front of the text of an error: torch's words, those of the usual macros, and of the samples.
MARK = (
    r"(?:(?i:cuda(?:[ _](?:driver|runtime|function))?[ _](?:error|failure|exception))|GPUassert|CUDA_ERROR_|"
    r"cudaError|\bError \d{1,3}: |(?i:cudaSuccess)|(?i:cuda\w* failed)|(?i:cuda\w*\(\w*\) failed)|"
    r"\[CUDA\]|THCudaCheck FAIL|(?i:cuda runtime) \(|(?i:\(cuda\)))"
)
_CODE = re.compile(
    r"(?i:cuda(?: runtime| driver)? error)(?: code)?:?\s*[(#=]?(?P<number>\d+)\b\)?\s*(?:at .*)?$"
)
_PLACE = re.compile(r"(?P<file>[\w./~+-]*(?:cuda\.cu|main\.cpp))[\s:(,]+(?:line )?(?P<line>\d+)")
_RAISED_AT = re.compile(r"^Exception raised from .* at (?P<file>\S*(?:cuda\.cu|main\.cpp)):(?P<line>\d+) ")
_ECHO = re.compile(r"^\s+(?:\d* \||raise |if |throw )")  # source that a compiler or a traceback repeats


@attrs.frozen
class Spoken:
    """A CUDA error in a log. `file` and `line`: where the user's CUDA text noticed it, if told."""

    at: int
    file: str | None = None
    line: int | None = None


def spoken(log: Log, error: type[CudaError]) -> Spoken | None:
    """The first line, of no compiler, that tells an error: by one of its texts and names, or by its number alone."""
    words = [word for word in (error.text, *error.names, *error.also) if log.has(word)]
    told = wording(error.text, error.names, error.also) if words else None  # most logs have none: no search
    numbered, lines = _lines(log)
    for at, line, alone in numbered if told is None else lines:
        if (alone is not None and alone == error.number) or (told is not None and told.search(line)):
            return Spoken(at, *_place(log, at))
    return None


@functools.lru_cache(maxsize=1)  # for all diagnoses of one log
def _lines(log: Log) -> tuple[list[tuple[int, str, int | None]], list[tuple[int, str, int | None]]]:
    """Lines that no compiler wrote, with their numbers, and the number of an error that is told without its text.

    Before them those that have such a number: most logs have none.
    """
    compiled = {said.at for said in log.said}
    found = []
    for at, line in enumerate(log.lines):
        if at not in compiled and not _ECHO.match(line):
            alone = _CODE.search(line) if "rror" in line or "RROR" in line else None
            found.append((at, line, int(alone["number"]) if alone else None))
    return [line for line in found if line[2] is not None], found


def wording(text: str, names: tuple[str, ...] = (), also: tuple[str, ...] = ()) -> re.Pattern[str]:
    """A line that tells an error: its text after a mark or alone, one of its names, or one of the other texts."""
    words = re.escape(text)
    ways = [
        rf"{MARK}.*(?<![\w-]){words}(?![\w/-]| on )",
        rf"^(?:(?:torch\.)?(?:RuntimeError|AcceleratorError): )?{words}\.?$",
        rf"\bcuda[A-Z]\w*\s*\(.*\)\W*[:(] ?{words}\)?\.?$",
        *([rf"^(?:torch\.)?RuntimeError: .*[:(] ?{words}\)?\.?$"] if text.count(" ") > 1 else []),
        *(rf"\b{name}\b" for name in names),
        *map(re.escape, also),
    ]
    return re.compile("|".join(ways))


def _place(log: Log, at: int) -> tuple[str | None, int | None]:
    lines = log.lines
    found = _PLACE.search(lines[at]) or next(
        (m for x in lines[at : at + 8] if (m := _RAISED_AT.match(x))), None
    )
    return (found["file"], int(found["line"])) if found else (None, None)


class CudaError(Diagnosis):
    """Base of the diagnoses that one error of the CUDA runtime decides.

    `names`: of the error, in the runtime and in the driver. `text`: what cudaGetErrorString gives; `also`: other
    words for it. `fact` and
    `remedy`: message and help. `at_launch`: the launch itself was refused, so it is the place. `calls`: a regular
    expression for the functions of CUDA that give the error, where they are few.
    """

    hides = (ABORTED, OWN_CHECK)
    names: ClassVar[tuple[str, ...]]
    text: ClassVar[str]
    also: ClassVar[tuple[str, ...]] = ()
    number: ClassVar[int | None] = None
    fact: ClassVar[str]
    remedy: ClassVar[str]
    at_launch: ClassVar[bool] = False
    calls: ClassVar[str] = ""

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        said = spoken(log, type(self))
        return None if said is None else self.hit(said, log, candidate)

    def hit(self, said: Spoken, log: Log, candidate: Candidate | None) -> Hit:
        """The finding. Its place: the launch that was refused, or the kernel or its access that is most likely at fault;
        where that is not known, the line that CUDA's text told, or the user's line in the traceback."""
        late = self.text in LATE
        launch = reached_launch(log, said.at, candidate, late)
        frame = user_frame(log, said.at, candidate)
        named = "" if late else named_call(log.lines[said.at]) or self.calls
        span = call_span(reached_hosts(log, said.at, candidate), named) if named else None
        if span is None and launch is not None and self.at_launch:
            span = launch.span
        notes: tuple[str, ...] = ()
        if late:
            notes = ("the kernel ran before this line: CUDA tells the error at a later call",)
        if late and launch is not None:
            blame = self.blame(launch)
            span = (blame.span if blame is not None else None) or kernel_span(launch)
            told = f" (the error came out at line {frame.line})" if frame is not None else ""
            notes = (f"of the kernels of this file only {launch.site.name} can have failed{told}",)
            notes += (f"look first here: {blame.what}",) if blame is not None and blame.span else ()
        if span is None and said.file is None:
            span = frame
        return Hit(
            self.fact,
            said.at,
            self.remedy,
            said.file,
            said.line,
            span,
            notes,
            confidence="medium" if late and launch is not None else "high",
        )

    def blame(self, launch: OnlyLaunch) -> Blame | None:
        """What in the kernel, or at its launch, is the most likely cause."""
        return None


def kernel_span(launch: OnlyLaunch) -> Span | None:
    """The name of a launched kernel, where it is defined."""
    kernel = launch.kernel
    if kernel is None:
        return launch.span
    return launch.region.span(kernel.name_start, kernel.name_start + len(kernel.name))
