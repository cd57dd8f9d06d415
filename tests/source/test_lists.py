"""Lists that a file changes after it has made them: followed where that is certain, else not known."""

from __future__ import annotations

import pytest

from cudasmith.model import Candidate
from cudasmith.source.extensions import NotKnown, extension_of
from cudasmith.source.filemodel import parse_file

HEAD = "from torch.utils.cpp_extension import load_inline\n"
CALL = "m = load_inline(name='m', cpp_sources=SRC, extra_cflags=flags)\n"
SRC = "SRC = ['int f();']\n"


def flags_of(text: str) -> tuple[str, ...] | None:
    """Of the last call; None where it is not known without running the file."""
    try:
        return extension_of(parse_file(Candidate(HEAD + SRC + text)).builds[-1]).flags
    except NotKnown:
        return None


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("flags = ['-O3']\nflags.append('-g')\n", ("-O3", "-g")),
        ("flags = ['-O3']\nflags.extend(['-g', '-w'])\n", ("-O3", "-g", "-w")),
        ("flags = []\nflags += ['-g']\nflags.append('-w')\nprint(flags)\n", ("-g", "-w")),
        ("more = ['-g']\nflags = ['-O3']\nflags.extend(more)\n", ("-O3", "-g")),
        ("more = ['-g']\nflags = ['-O3'] + more\n", ("-O3", "-g")),
        ("flags = ['-O3']\nfor f in flags:\n    print(f, len(flags), flags[0])\n", ("-O3",)),
        ("flags = ['-O3']\nalso = flags\nprint(also)\n", ("-O3",)),
        ("flags = ('-O3',)\nsomething(flags)\n", ("-O3",)),
    ],
)
def test_what_is_certain_is_followed(body: str, wanted: tuple[str, ...]) -> None:
    assert flags_of(body + CALL) == wanted


def test_a_list_of_a_function_is_followed() -> None:
    text = "def get():\n    flags = ['-O3']\n    flags.append('-g')\n    return " + CALL[4:]
    assert flags_of(text) == ("-O3", "-g")


@pytest.mark.parametrize(
    "body",
    [
        "flags = ['-O3']\nflags[0] = '-O0'\n",
        "flags = ['-O3']\nflags[0] += '-O0'\n",
        "flags = ['-O3']\ndel flags[0]\n",
        "flags = ['-O3']\nflags.insert(0, '-g')\n",
        "flags = ['-O3']\nflags.append('-g')\nflags.clear()\n",
        "flags = ['-O3']\nflags.extend(other())\n",
        "flags = ['-O3']\nif DEBUG:\n    flags.append('-g')\n",
        "flags = ['-O3']\nfor _ in range(2):\n    flags.append('-g')\n",
        "flags = ['-O3']\nalso = flags\nalso.append('-g')\n",
        "flags = ['-O3']\nalso = flags or []\nalso.append('-g')\n",
        "flags = ['-O3']\nadd = flags.append\nadd('-g')\n",
        "flags = ['-O3']\nadd_debug(flags)\n",
        "flags = ['-O3']\nadd_debug(to=flags)\n",
        "flags = ['-O3']\ndef add():\n    flags.append('-g')\nadd()\n",
        "flags = ['-O3']\nall = {'cpp': flags}\nall['cpp'].append('-g')\n",
        "flags = ['-O3']\nfor each in (flags, []):\n    each.append('-g')\n",
        "base = ['-O3']\nflags = base\nbase.append('-g')\n",
        "class C:\n    flags = ['-O3']\nC.flags.append('-g')\nflags = C.flags\n",
        "flags = ['-O3']\nalso = flags\nflags.append('-w')\nalso.append('-g')\n",
    ],
)
def test_what_may_be_changed_is_not_known(body: str) -> None:
    assert flags_of(body + CALL) is None


def test_what_is_appended_behind_a_call_is_not_of_that_call() -> None:
    assert flags_of("flags = ['-O3']\n" + CALL + "flags.append('-g')\n") is None


def test_a_list_of_sources_that_is_changed_is_not_known() -> None:
    call = "m = load_inline(name='m', cpp_sources=SRC)\n"
    assert flags_of("SRC.insert(0, '#define N 3')\n" + call) is None
    text = "SRC.append('int g();')\n" + call
    assert extension_of(parse_file(Candidate(HEAD + SRC + text)).builds[0]).cpp_sources == (
        "int f();",
        "int g();",
    )


@pytest.mark.parametrize(
    "build",
    [
        "def get(flags):\n    return {call}get(['-g'])\n",
        "def get(flags=('-g',)):\n    return {call}get()\n",
        "get = lambda flags: {call}get(['-g'])\n",
        "for flags in (['-g'], ['-w']):\n    m = {call}",
        "def get(flags):\n    return {call}get(flags)\nget(['-g'])\n",
        "def get(flags):\n    return {call}get(flags)\nrun(get)\n",
    ],
)
def test_a_parameter_is_not_the_variable_of_the_same_name(build: str) -> None:
    assert flags_of("flags = ['-O3']\n" + build.format(call=CALL[4:])) is None


def test_a_parameter_that_is_given_its_own_name_is_followed() -> None:
    build = "def get(flags):\n    return {call}get(flags)\n"
    assert flags_of("flags = ('-O3',)\n" + build.format(call=CALL[4:])) == ("-O3",)
