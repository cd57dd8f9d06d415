"""The files whose text a candidate reads into its sources."""

from __future__ import annotations

from pathlib import Path

import attrs

from cudasmith.model import Candidate, CudasmithError
from cudasmith.source.filemodel import parse_file
from cudasmith.source.reading import Read
from cudasmith.stages.read import MAX_BYTES


def with_files(candidate: Candidate) -> Candidate:
    """The candidate with the text of each file that its load_inline calls certainly read, as it lies there now.

    Raises: CudasmithError (exit code 1) at the line that opens what cannot be read.
    """
    while True:  # what one file holds may have to be known before another is asked for
        known = dict(candidate.files)
        wanted = {r.path: r for call in parse_file(candidate).builds for r in call.wanted if r.path not in known}
        if not wanted:
            return candidate
        known |= {path: _text(read, candidate) for path, read in wanted.items()}
        candidate = attrs.evolve(candidate, files=tuple(known.items()))


def _text(read: Read, candidate: Candidate) -> str | None:
    """None for what is no UTF-8 text, and for what is missing and may never be read: the run of the file will tell."""
    try:
        with Path(read.path).open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        return data.decode("utf-8") if len(data) <= MAX_BYTES else None
    except UnicodeDecodeError:
        return None
    except OSError as error:
        if not read.certain:
            return None
        raise _unreadable(read, candidate, error.strerror or str(error)) from None


def _unreadable(read: Read, candidate: Candidate, reason: str) -> CudasmithError:
    name = Path(read.written).name
    help = "put the file there, or name the one that is meant"
    if not Path(read.written).is_absolute():
        help = (
            f"a relative path counts from the current directory, here {Path.cwd()}: start cudasmith where the file lies, "
            f'or write os.path.join(os.path.dirname(os.path.abspath(__file__)), "{name}")'
        )
    return CudasmithError(
        "CSB027",
        f"the file opens {read.written!r}, which cannot be read: {reason}",
        where=f"{candidate.path}:{read.line}",
        help=help,
        exit_code=1,
    )
