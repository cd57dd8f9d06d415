"""The encoding that a Python file declares in its first two lines (PEP 263)."""

from __future__ import annotations

import io
import tokenize


def encoding_of(data: bytes) -> str:
    """As Python reads the file: UTF-8, with a byte order mark or not, where it declares none.

    Raises: LookupError for a declared encoding that Python does not know.
    """
    try:
        name, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    except SyntaxError as error:
        if "unknown encoding" in str(error):
            raise LookupError(str(error)) from None
        return "utf-8"  # what is wrong with its bytes is told by decoding them
    return "utf-8" if name == "utf-8-sig" else name


def encoded(text: str) -> bytes:
    """The bytes of a Python file with that text, in the encoding that it declares."""
    return text.encode(encoding_of(text.encode(errors="replace")))
