"""Messages without their place, and logs of another version of the file."""

from __future__ import annotations

import pytest

from captured import log_text, source
from cudasmith.cli.explain import decoded
from cudasmith.model import Candidate
from cudasmith.source.filemodel import parse_file
from cudasmith.stages.diagnose import diagnose


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('error: identifier "foo" is undefined', "DG215"),
        ("error: 'foo' was not declared in this scope", "DG215"),
        ("error: expected a ';'", "DG201"),
        ("undefined reference to 'bar'", "DG409"),
    ],
)
def test_a_pasted_message_is_explained_without_a_place(text: str, code: str) -> None:
    found = diagnose(text)[0]
    assert (found.code, found.span) == (code, None)


def test_a_pasted_message_says_what_its_place_needs() -> None:
    assert "no file and line" in diagnose("error: expected a ';'")[0].notes[-1]


@pytest.mark.parametrize("name", ["undefined_identifier", "gxx_missing_semicolon"])
def test_a_log_of_another_version_gives_no_place(name: str) -> None:
    own = source(name)
    assert own is not None
    lines = own.text.split("\n")
    first = next(i for i, line in enumerate(lines) if "'''" in line or '"""' in line)
    other = [*lines[: first + 1], *["int other_thing = some_value;"] * 5, *lines[first + 1 :]]
    found = diagnose(log_text(name), Candidate("\n".join(other), own.path))[0]
    assert found.span is None and found.fix is None and found.confidence == "low"
    assert "another version" in found.notes[0]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le"])
def test_a_log_is_read_in_the_encodings_of_shells(encoding: str) -> None:
    text = '/b/cuda.cu(4): error: identifier "n" is undefined\n' * 5
    assert decoded(text.encode(encoding)) == text


@pytest.mark.parametrize(
    "head",
    [
        "from torch.utils.cpp_extension import load_inline as build",
        "import torch.utils.cpp_extension as ce\nbuild = ce.load_inline",
    ],
)
def test_load_inline_under_another_name_is_a_build(head: str) -> None:
    text = f"{head}\nm = build(name='m', cpp_sources='int f();', functions=['f'])\n"
    assert len(parse_file(Candidate(text)).builds) == 1
