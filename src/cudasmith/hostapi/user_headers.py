"""The headers that an extension's sources read and that are the user's own: as they are now, for the key of what is built."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from cudasmith.hostapi.compiler import file_identity
from cudasmith.model import Extension

_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*["<]([^">\n]+)[">]', re.MULTILINE)
_FOLDER_FLAG = re.compile(r"-(?:I|isystem|iquote)[ =]?(.*)")


def user_headers(extension: Extension) -> list[str]:
    """A line for each file of `user_header_files`, which changes with its content."""
    return [f"{file} {file_identity(str(file))}" for file in user_header_files(extension)]


def user_header_files(extension: Extension) -> list[Path]:
    """All files in the include paths, since a macro may name any of them, and what the sources
    include by an absolute path, or over an -I of the flags, with what that includes."""
    given = [Path(path).absolute() for path in extension.include_paths]
    files = {f for folder in given for f in folder.rglob("*") if f.is_file()}
    files.update(_included(extension, [*given, *_flag_folders((*extension.flags, *extension.cuda_flags))]))
    return sorted(files)


def _included(extension: Extension, folders: Sequence[Path]) -> set[Path]:
    found: set[Path] = set()
    waiting = [
        file for text in (*extension.cpp_sources, *extension.cuda_sources) for file in _named(text, folders)
    ]
    while waiting:
        file = waiting.pop()
        if file not in found:
            found.add(file)
            text = file.read_text(encoding="utf-8", errors="replace")
            waiting += _named(text, [file.parent, *folders])
    return found


def _named(text: str, folders: Sequence[Path]) -> Iterator[Path]:
    """The files that a text includes, where they lie in one of the folders or are named by absolute paths."""
    for name in _INCLUDE.findall(text):
        candidates = [Path(name)] if name.startswith("/") else [folder / name for folder in folders]
        yield from [file for file in candidates if file.is_file()][:1]


def _flag_folders(flags: Sequence[str]) -> Iterator[Path]:
    """Of `-Ifolder`, and of `-I` and the folder as two words."""
    words = iter(flags)
    for word in words:
        if told := _FOLDER_FLAG.fullmatch(word):
            yield Path(told[1] or next(words, "")).absolute()
