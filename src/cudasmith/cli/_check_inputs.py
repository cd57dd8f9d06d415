"""What `check` is given: files, folders, stdin, and what the project's configuration says of each."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import attrs

from cudasmith.cli._stdin import stdin_bytes
from cudasmith.model import Candidate, CudasmithError, ProblemError
from cudasmith.model.candidate import STDIN
from cudasmith.model.checked import UnreadFile
from cudasmith.source.document import Document
from cudasmith.source.foreign import is_cuda_text
from cudasmith.stages._check.config import Config, Configs
from cudasmith.stages._check.targets import is_candidate, python_files
from cudasmith.stages.read import MAX_BYTES, decoded, raw_text

FORM = "a file to check defines class ModelNew(nn.Module) and its CUDA source"


@attrs.frozen
class Input:
    """One text. `file` is where fixes go; None for stdin."""

    path: str
    document: Document
    config: Config
    file: Path | None


def inputs(
    named: tuple[str, ...], stdin_name: str | None, *, only_candidates: bool
) -> Iterator[Input | UnreadFile]:
    """Every text to check, in the order given; folders give their candidates. Each file is given once.

    Raises: CudasmithError for a wrong configuration.
    """
    configs = Configs()
    seen: set[str] = set()
    for name in named:
        for path in _expanded(name, configs):
            try:
                if isinstance(path, CudasmithError):
                    raise path
                if path == "-":
                    if path in seen:
                        continue
                    seen.add(path)
                    yield _stdin(stdin_name, configs)
                    continue
                file = Path(path)
                config = configs.of(file.parent)
                if only_candidates and (config.excludes(file) or not is_candidate(file)):
                    continue
                whole = os.path.realpath(path)  # Path.resolve raises for a link to itself
                if path and whole in seen:
                    continue
                seen.add(whole)
                text = _python(raw_text(file, path, form=FORM), path)
                yield Input(path, Document.of(text), config, file)
            except ProblemError as error:
                yield UnreadFile(path if isinstance(path, str) else error.where or name, error)


def _expanded(name: str, configs: Configs) -> list[str | ProblemError]:
    """The name itself, or a folder's candidates."""
    folder = Path(name)
    if not name or name == "-" or not folder.is_dir():
        return [name]
    config = configs.of(folder)
    unlisted: list[ProblemError] = []
    paths = [str(p) for p in python_files(folder, config.excludes, lambda e: unlisted.append(_unlisted(e)))]
    found: list[str | ProblemError] = [*paths, *unlisted]
    help = "a candidate defines ModelNew or calls load_inline"
    nothing = ProblemError("CSP014", "no candidate lies here", where=name, help=help, exit_code=3)
    return found or [nothing]


def _unlisted(error: OSError) -> ProblemError:
    """A folder in a folder: what lies in it was not checked, so nothing may say that all passed."""
    fact, help = f"the folder cannot be read: {error.strerror}", "check the permissions, or exclude it"
    return ProblemError("CSP009", fact, where=str(error.filename), help=help, exit_code=3)


def _stdin(name: str | None, configs: Configs) -> Input:
    text = _python(decoded(stdin_bytes(MAX_BYTES + 1), name or STDIN, form=FORM), name or STDIN)
    folder = Path(name).parent if name else Path()
    return Input(name or STDIN, Document.of(text), configs.of(folder), None)


def read_candidate(path: str, form: str = FORM) -> Candidate:
    """Raises: ProblemError, in the words of `port`, when there is no text to check."""
    if path == "-":
        name, text = STDIN, decoded(stdin_bytes(MAX_BYTES + 1), STDIN, form=form)
    else:
        name, text = path, raw_text(Path(path), path, form=form)
    return Candidate(Document.of(_python(text, name)).text, name)  # lines as Python counts them


def _python(text: str, name: str) -> str:
    """The text. Raises: ProblemError CSP017 for CUDA or C++."""
    if not is_cuda_text(text, name):
        return text
    file = "kernel.cu" if name.startswith("<") else Path(name).name
    help = (
        "cudasmith reads the Python file that builds it: give one with "
        f'load_inline(name=..., cpp_sources=..., cuda_sources=open("{file}").read(), functions=[...])'
    )
    raise ProblemError("CSP017", "this is CUDA or C++ text, not a Python file", where=name, help=help)
