"""Exceptions become one plain sentence and the user's line."""

from __future__ import annotations

import inspect
import linecache
import sysconfig
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
import torch

import cudasmith
from cudasmith.model import ProblemError, SourceLine

_VALUES_DECIDE = (
    "forward decides on the values in a tensor, so there is no one graph of it",
    "use torch.where or masks instead of if, while, int() and bool() on tensors",
)
_SIZES_DEPEND = (
    "the size of a result depends on the values in a tensor",
    "boolean indexing, nonzero, unique and repeat_interleave by a tensor cannot be ported",
)
_NUMPY = ("forward leaves torch: it asks for the values of a tensor as numpy or Python data", "stay in torch")
_NO_RULE = (
    "an operator has no rule for shapes without data",
    "write it with other torch operators, or give a custom operator a fake kernel (torch.library.register_fake)",
)
_REASONS = {  # class of the exception -> fact, help
    "GuardOnDataDependentSymNode": _VALUES_DECIDE,
    "DataDependentOutputException": _VALUES_DECIDE,
    "PendingUnbackedSymbolNotFound": _SIZES_DEPEND,
    "DynamicOutputShapeException": _SIZES_DEPEND,
    "UnsupportedOperatorException": _NO_RULE,
    "UnsupportedFakeTensorException": _NO_RULE,
}
_RAISED = {  # code -> help, where the exception itself suggests nothing better
    "CSP020": "this must work by itself, on a machine without a GPU: try it in plain Python first",
    "CSP021": "get_init_inputs() must return the arguments of Model.__init__ as a list",
    "CSP022": "Model(*get_init_inputs()) must work on the CPU: compare its arguments with get_init_inputs",
    "CSP023": "get_inputs() must work on the CPU and return the arguments of forward as a list",
    "CSP026": "Model(*get_init_inputs())(*get_inputs()) must work in plain PyTorch on the CPU; if it does, "
    "torch.export cannot follow this line: write it with plain torch operators",
}
_NUMPY_MESSAGES = (".numpy() is not supported", "Cannot access data pointer", "data_ptr")
_UNNAMED = "<dynamic-code>"  # what cloudpickle puts for the file of a function that it sends by value
_LIBRARY = tuple(
    str(Path(p).resolve())
    for p in (sysconfig.get_path("stdlib"), Path(torch.__file__).parent, Path(cudasmith.__file__).parent)
)


@attrs.frozen
class UserCode:
    """Which files are the user's: `name`, the reference file, and after it whatever is part of no library."""

    name: str
    origin: str = ""  # where the class of a live module comes from: pickling drops the file name

    def innermost(self, frames: list[SourceLine]) -> SourceLine | None:
        """The last frame of the reference file, or of the user's other files."""
        own = [f for f in frames if f.file == self.name] or [f for f in frames if self.owns(f.file)]
        return self._named(own[-1]) if own else None

    def _named(self, line: SourceLine) -> SourceLine:
        if line.file != _UNNAMED or not self.origin:
            return line
        return SourceLine(self.origin, line.line, linecache.getline(self.origin, line.line).strip())

    def owns(self, file: str) -> bool:
        """True for the reference file and for any file that is part of no library."""
        return file in (self.name, _UNNAMED) or not (
            file.startswith(("<", *_LIBRARY)) or "site-packages" in file
        )

    def line_of(self, function: Any) -> str:
        """ "file.py:12" of a function, or the file."""
        code = getattr(inspect.unwrap(function), "__code__", None)
        return f"{self.name}:{code.co_firstlineno}" if code and code.co_filename == self.name else self.name

    def where(self, line: SourceLine | None) -> str:
        return f"{line.file}:{line.line}" if line else self.name


def raised(
    error: BaseException, code: UserCode, number: str, what: str, at: str | None = None
) -> ProblemError:
    """ "get_inputs raised ValueError: ..." at the user's line, or at `at` when no line of the user's ran."""
    line = code.innermost(_frames(error))
    return ProblemError(
        number,
        f"{what} raised {type(error).__name__}: {_first_line(error)}{_quoted(line)}",
        where=code.where(line) if line else at or code.name,
        help=_raised_help(error) or _RAISED.get(number),
    )


def untraceable(error: BaseException, code: UserCode) -> ProblemError:
    """Why forward has no graph: data decides (CSP027), it raised (CSP026), torch.export's limit (CSP028)."""
    chain = list(_chain(error))
    line = next((found for e in chain if (found := code.innermost(_frames(e)))), None)
    for link in chain:
        reason = _REASONS.get(type(link).__name__)
        if any(text in str(link) for text in _NUMPY_MESSAGES):
            reason = _NUMPY
        if reason:
            return ProblemError("CSP027", reason[0] + _quoted(line), where=code.where(line), help=reason[1])
    if line is None:
        return unsupported(f"torch.export cannot follow it: {_first_line(error)}", None, code)
    return raised(error, code, "CSP026", "forward")


def sizes_depend_on_data(line: SourceLine | None, code: UserCode) -> ProblemError:
    """CSP027 for boolean indexing and the like."""
    fact, help_text = _SIZES_DEPEND
    return ProblemError("CSP027", fact + _quoted(line), where=code.where(line), help=help_text)


def state_kept(name: str, line: SourceLine, code: UserCode) -> ProblemError:
    """CSP034 for a model that remembers something in a plain attribute."""
    return ProblemError(
        "CSP034",
        f"forward changes self.{name}, which lives from call to call{_quoted(line)}",
        where=code.where(line),
        help=f"make it a buffer: self.register_buffer({name!r}, torch.tensor(...)) in __init__",
    )


def unsupported(message: str, line: SourceLine | None, code: UserCode) -> ProblemError:
    """The graph holds something that cannot be ported."""
    return ProblemError(
        "CSP028",
        f"forward cannot be captured: {message}{_quoted(line)}",
        where=code.where(line),
        help="write it with tensors in, tensors out and plain torch operators; what has to stay as it is, "
        "keep in the caller of Model",
    )


def _raised_help(error: BaseException) -> str | None:
    text = str(error)
    if "CUDA" in text or "NVIDIA driver" in text:
        return "leave devices out of the reference: it is captured on the CPU, the caller moves it to the GPU"
    if isinstance(error, ModuleNotFoundError):
        return "install it, or put the file next to the reference"
    return None


def _frames(error: BaseException) -> list[SourceLine]:
    return [
        SourceLine(f.filename, f.lineno or 0, f.line or "") for f in traceback.extract_tb(error.__traceback__)
    ]


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _quoted(line: SourceLine | None) -> str:
    text = (line.text or linecache.getline(line.file, line.line)).strip() if line else ""
    return f"\n    {text}" if text else ""


def _first_line(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return (
        lines[0].rstrip(")")
        if lines and lines[0].count("(") < lines[0].count(")")
        else (lines or ["no message"])[0]
    )
