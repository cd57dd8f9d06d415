"""Every wording of every family is understood, and a message that no row has stays unknown."""

from __future__ import annotations

import re

import pytest

from cudasmith.diagnoses._diagnosis import Diagnosis, all_diagnoses
from cudasmith.diagnoses._family import Family, RaisedFamily
from cudasmith.diagnoses._log import Log
from cudasmith.stages.diagnose import UNKNOWN, diagnose

_HEAD = {"DG268": "nvcc fatal   : ", "DG315": "ptxas /tmp/a.ptx, line 9; error   : "}
_WORDINGS = [
    pytest.param(d, told, id=f"{d.name}-{told[:50]}")
    for d in all_diagnoses()
    if isinstance(d, (Family, RaisedFamily))
    for saying in d.SAYINGS
    for told in saying.told
]


def _spoken(wording: str) -> str:
    """A message of that wording."""
    text = re.sub(r"`(\w+)`", lambda m: f'"{m[1]}"', wording)
    text = re.sub(r"<(\w+)>", "7", text).replace("...", "some text").replace("~ ", "").replace("~", "")
    return re.sub("[\u00ab\u00bb]", '"', text)


@pytest.mark.parametrize(("diagnosis", "wording"), _WORDINGS)
def test_a_message_of_every_wording_is_understood(diagnosis: Diagnosis, wording: str) -> None:
    if isinstance(diagnosis, RaisedFamily):
        text = f"RuntimeError: {_spoken(wording)}"
    elif isinstance(diagnosis, Family) and not diagnosis.home:
        text = (
            f"main.cpp:3:5:   required from here\n/usr/include/pybind11/x.h:7:1: error: {_spoken(wording)}\n"
        )
    else:
        text = _HEAD.get(diagnosis.code, "cuda.cu(3): error: ") + _spoken(wording)
    hit = diagnosis.match(Log(text), None)
    assert hit is not None
    assert hit.message
    assert hit.help
    assert "{" not in hit.message.replace("{ ... }", "")
    assert diagnose(text)[0].code != UNKNOWN


@pytest.mark.parametrize(
    "text",
    [
        "cuda.cu(3): error: the moon is full",
        "main.cpp:3:5: error: the moon is full",
        "ptxas /tmp/a.ptx, line 9; error   : The moon is full",
        "nvcc fatal   : The moon is full",
        "RuntimeError: the moon is full",
        "TypeError: the moon is full",
        "/usr/include/x.h(3): error: a header alone, which no line of the user led to",
    ],
)
def test_what_no_row_says_stays_unknown(text: str) -> None:
    assert diagnose(text)[0].code == UNKNOWN


def test_an_error_in_a_header_is_told_at_the_line_that_led_there() -> None:
    text = (
        "/x/include/lib.h: In instantiation of 'f<int>':\n"
        "main.cpp:12:3:   required from here\n"
        "/x/include/lib.h:7:1: error: no match for 'operator<' (operand types are 'A' and 'A')\n"
    )
    (found,) = diagnose(text)
    assert "the tool named main.cpp:12" in found.notes


def test_a_name_that_is_unknown_is_told_before_the_void_that_follows_from_it() -> None:
    text = (
        'cuda.cu(3): error: incomplete type "void" is not allowed\n'
        'cuda.cu(3): error: identifier "flaot" is undefined\n'
    )
    assert "flaot" in diagnose(text)[0].message
